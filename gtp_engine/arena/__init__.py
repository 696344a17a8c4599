"""One game: two seats and a referee between them."""
