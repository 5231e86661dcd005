"""What OpenRig's published versions (0.4.6 to 0.6.9) say to an operator.

These daemons know no runners and no permission requests. They are read as they are;
the shapes of a daemon that serves the contract are in `wire.openrig`.
"""
