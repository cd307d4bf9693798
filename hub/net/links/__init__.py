"""Links between the hubs that share a store: any hub serves any table, through the hub that owns it.

A hub that gets a socket or a request for a room of another hub passes it on over a link to the owner, and the
owner's answers back. The client sees one hub. A link is a WebSocket of its own between two hubs, over TLS in
which both prove that they know the secret (`credentials.py`).

The hub that has the client's connection is the *front*; the one that owns the room is the *owner*.
"""
