"""The contracts of the family: what a kernel's description holds, and the errors that its members share."""
