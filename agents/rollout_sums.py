"""What is counted while deals are played to learn from: sums over deals and decisions, which processes add up."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.seats import auction_place
from agents.setting import FIXED, LEARNER, PAST
from pedro_env.actions import FIRST_BID, PASS, Phase
from pedro_env.cards import N_SUITS, NONE
from pedro_env.engine import Batch
from pedro_env.typing import FloatArray, Int8Array, Int64Array, IntArray


class DealSums:
    """The sums of one batch. Bids and contracts are the learning policy's; contracts of tables at which it sits alone.

    Where it nowhere does, as against an agent to exploit, they are those of all tables.
    """

    def __init__(self, batch: Batch, who: Int8Array, fixed: int) -> None:
        """``who`` ``(n, seats)``: see ``setting.py``; ``fixed`` is the number of fixed agents."""
        rules = batch.rules
        self.batch = batch
        alone = (who == LEARNER).all(axis=1)
        self.who = who
        self.counted = alone if alone.any() else np.ones(batch.n, np.bool_)
        other = who.max(axis=1)
        self.other = np.where(other >= PAST, other, NONE)
        self.first_seat = (who == LEARNER).argmax(axis=1)
        self.numbers = np.array([bid.number for bid in batch.actions.bids])
        levels = int(self.numbers.max()) + 1
        self.all_decisions = 0
        self.bids_asked = 0
        self.bids_made = 0
        self.bid_levels = np.zeros((rules.seats, levels), np.int64)
        """By place in the auction: choices between passing and bidding; in column 0 the passes."""
        self.entropy = np.zeros(Phase.OVER)
        self.decisions = np.zeros(Phase.OVER, np.int64)
        self.deals = 0
        self.contracts = np.zeros((2, levels), np.int64)
        """Set and made, by level."""
        self.declarer_change = 0
        self.score_total = 0
        self.named = np.zeros(N_SUITS, np.int64)
        self.against = np.zeros((FIXED + fixed, 2))
        """By who has the other seats: the learning policy's score change over theirs, and deals."""

    def decided(self, rows: IntArray, action: Int64Array, entropy: FloatArray) -> None:
        """The learning policy has chosen in some games, from distributions of some entropy (nats)."""
        batch = self.batch
        phase = batch.phase[rows]
        self.entropy += np.bincount(phase, entropy, len(self.entropy))
        self.decisions += np.bincount(phase, minlength=len(self.decisions))
        bidding = np.flatnonzero(phase == Phase.BID)
        if not len(bidding):
            return
        bidding = bidding[batch.mask(rows[bidding])[:, PASS]]
        table, chosen = rows[bidding], action[bidding]
        bid = (chosen >= FIRST_BID) & (chosen < FIRST_BID + len(self.numbers))
        level = np.where(bid, self.numbers[np.where(bid, chosen - FIRST_BID, 0)], 0)
        place = auction_place(batch.rules, batch.state.dealer[table], batch.to_act[table])
        np.add.at(self.bid_levels, (place, level), 1)
        self.bids_asked += len(bidding)
        self.bids_made += int(bid.sum())

    def book(self, rows: IntArray) -> None:
        """Some deals are over."""
        state, rules = self.batch.state, self.batch.rules
        self.deals += len(rows)
        change = state.score_change.astype(np.int64)
        compared = rows[self.other[rows] != NONE]
        own, all_of_it = change[compared, self.first_seat[compared] % rules.sides], change[compared].sum(axis=1)
        gain = own - (all_of_it - own) / (rules.sides - 1)
        np.add.at(self.against, self.other[compared], np.stack([gain, np.ones(len(gain))], axis=1))
        rows = rows[self.counted[rows] & ~state.redeal[rows] & (state.contract[rows] >= 0)]
        rows = rows[self.who[rows, state.declarer[rows]] == LEARNER]
        level = self.numbers[state.contract[rows]]
        side = state.declarer[rows].astype(np.int64) % rules.sides
        own = change[rows, side]
        np.add.at(self.contracts, ((own > 0).astype(np.int64), level), 1)
        self.declarer_change += int(own.sum())
        self.score_total += int(change[rows].sum())
        self.named += np.bincount(state.trump[rows].astype(np.int64), minlength=N_SUITS)

    def total(self) -> dict[str, float]:
        """The sums by name: the same names in every process."""
        levels = np.arange(self.contracts.shape[1])
        made = self.contracts[1]
        sums: dict[str, Any] = {
            "decisions_all": self.all_decisions,
            "bids_asked": self.bids_asked,
            "bids_made": self.bids_made,
            "deals": self.deals,
            "contracts": self.contracts.sum(),
            "bid_total": (self.contracts * levels).sum(),
            "contracts_made": made.sum(),
            "declarer_change": self.declarer_change,
            "score_total": self.score_total,
        }
        sums |= {f"named_{suit}": count for suit, count in enumerate(self.named)}
        sums |= {f"entropy_{phase}": value for phase, value in enumerate(self.entropy)}
        sums |= {f"decisions_{phase}": count for phase, count in enumerate(self.decisions)}
        sums |= {f"set_{level}": count for level, count in enumerate(self.contracts[0])}
        sums |= {f"made_{level}": count for level, count in enumerate(made)}
        for place, counts in enumerate(self.bid_levels):
            sums |= {f"bids_{place}_{level}": count for level, count in enumerate(counts)}
        for other, (gain, deals) in enumerate(self.against[PAST:], PAST):
            sums |= {f"gain_{other}": gain, f"deals_{other}": deals}
        return {name: float(value) for name, value in sums.items()}
