"""A process as an agent: a program in any language that speaks JSON lines (``docs/agents-protocol.md``)."""
