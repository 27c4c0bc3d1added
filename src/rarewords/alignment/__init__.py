"""Word alignment of segmented text, and what is read off it: the dictionary and the candidate lists."""
