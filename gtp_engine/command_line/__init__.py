"""Options and messages that the programs of the command line share."""
