"""A terminal console for the people who operate AI-agent seats."""

__version__ = "0.1.0"
