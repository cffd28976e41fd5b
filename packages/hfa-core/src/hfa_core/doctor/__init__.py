"""What is wrong in a memory and around it, what of that can be mended mechanically, and mending it."""
