"""Events in: from what a host or a person says to one record, stored once."""
