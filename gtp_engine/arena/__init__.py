"""How we talk to other programs: seats, and a referee between two of them."""
