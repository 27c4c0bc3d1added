"""A bundle: one folder with everything that translates raw text, and the translator that reads it."""
