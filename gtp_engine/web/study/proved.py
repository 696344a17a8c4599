"""The proofs of Gomoku for positions on a page."""

from typing import Any, Optional

from ...games.lattice import BLACK
from ...games.rules import Position
from ...players.proofs import gomoku as gomoku_proof
from ..pipe import places_of


def proof_data(position: Position) -> Optional[dict[str, Any]]:
    """The results of a proof for a position in the types of JSON, or None outside the proof.

    side     the side to move
    plies    the largest number of plies to the end of the game; 0 without a proved win of Black
    move     the place of Black's move; None if White is to move, or if Black wins by threats
    last     the place and the kind of White's last answer; None if White is to move, or if it does
             not answer a move of the proof
    answers  if White is to move, the kind and the plies of each answer, by place
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
