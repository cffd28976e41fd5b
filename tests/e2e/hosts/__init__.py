"""
The hosts that can be driven, one module each: a pin, and a class that is a `play.Host`.

Another host adds its module here, its wire format beside `anthropic_wire.py` if it speaks another one, a fixture in
`conftest.py`, and a test module.
"""
