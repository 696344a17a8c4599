"""What the proof of Gomoku says of a position that a page shows."""

from typing import Any, Optional

from ...games.lattice import BLACK
from ...games.rules import Position
from ...players.proofs import gomoku as gomoku_proof
from ..pipe import places_of


def proved(position: Position) -> Optional[dict[str, Any]]:
    """The proved facts about a position in the types of JSON, or None.

    side     to move
    plies    to the end of the game, at most; 0 if Black is not known to win
    move     the place of Black's move, None where White is to move or threats win
    last     with Black to move the place of White's last answer, and the kind of it, None if it
             does not answer a move of the proof
    answers  with White to move the kind and the plies of each, by place
    """
    proof = gomoku_proof.of(position)
    if proof is None or position.outcome:
        return None
    places = places_of(position)
    if position.side != BLACK:
        answers = {places[point]: [*answer] for point, answer in proof.answers(position).items()}
        return {"side": position.side, "plies": proof.loss(position), "move": None, "last": None,
                "answers": answers} if answers else None
    advice, last = proof.advice(position), None
    answer = proof.last_answer(position)
    if answer:
        last = [places[position.moves[-1].point], answer.kind]
    if advice:
        move, plies = places[advice.move], advice.plies
    elif answer:
        move, plies = None, answer.plies if answer.kind == gomoku_proof.BY_THREATS else 0
    else:
        return None
    return {"side": BLACK, "plies": plies, "move": move, "last": last, "answers": {}}
