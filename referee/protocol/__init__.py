"""Protocol version 1: messages, lines, and the codec between them."""
