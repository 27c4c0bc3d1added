"""Text: line-aligned files, tokenisation, truecasing, and the chain from running text to units and back."""
