"""Daemons that run OpenRig as it is published: found by their answers, never proved.

They know no operator token that they could prove to hold, so nothing here touches the
way a daemon of ours is reached: that one proves itself before it gets a token.
"""
