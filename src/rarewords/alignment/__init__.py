"""Word alignment of segmented text, and its products: the dictionary and the candidate lists."""
