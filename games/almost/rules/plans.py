"""Proposed plans: a bid for every seat, and the seats that support it. Plans never bind anyone (GEN-12).

A seat supports at most one plan, so it never makes two promises at once.
"""

from __future__ import annotations

from msgspec.structs import replace

from games.almost.rules.values import Plan, Plans
from games.api import LogLine, Seat
from games.kit.tuples import replace_at


def make_no_plans(seats: int) -> Plans:
    """The plans of a round before anybody has proposed one."""
    return Plans((), 1, (0,) * seats)


def plan_of(plans: Plans, seat: Seat) -> Plan | None:
    """The plan that the seat supports."""
    return next((plan for plan in plans.plans if seat in plan.behind), None)


def _step_back(plans: tuple[Plan, ...], seat: Seat) -> tuple[Plan, ...]:
    """The plans without the seat's support; plans with no supporter left are removed."""
    updated = (
        replace(plan, behind=tuple(supporter for supporter in plan.behind if supporter != seat))
        if seat in plan.behind
        else plan
        for plan in plans
    )
    return tuple(plan for plan in updated if plan.behind)


def _note_backing(plans: Plans, seat: Seat) -> tuple[int, ...]:
    return replace_at(plans.backings, seat, max(plans.backings) + 1)


def propose(plans: Plans, seat: Seat, bids: tuple[int, ...]) -> tuple[Plans, LogLine]:
    """The seat proposes a plan, and supports it."""
    plan = Plan(plans.next, seat, bids, (seat,))
    line = LogLine("almost.proposed", {"seat": seat, "plan": plan.number, "bids": list(bids)}, None)
    updated = (*_step_back(plans.plans, seat), plan)
    return Plans(updated, plans.next + 1, _note_backing(plans, seat)), line


def agree(plans: Plans, seat: Seat, number: int) -> tuple[Plans, LogLine]:
    """The seat supports an existing plan."""
    proposer = next(plan for plan in plans.plans if plan.number == number).by
    updated = tuple(
        replace(plan, behind=tuple(sorted((*plan.behind, seat)))) if plan.number == number else plan
        for plan in _step_back(plans.plans, seat)
    )
    line = LogLine("almost.agreed", {"seat": seat, "plan": number, "by": proposer}, None)
    return Plans(updated, plans.next, _note_backing(plans, seat)), line


def withdraw(plans: Plans, seat: Seat) -> tuple[Plans, LogLine]:
    """The seat withdraws its support. Raises ValueError if it supports no plan."""
    plan = plan_of(plans, seat)
    if plan is None:
        raise ValueError("the seat supports no plan")
    line = LogLine("almost.withdrew", {"seat": seat, "plan": plan.number, "by": plan.by}, None)
    return replace(plans, plans=_step_back(plans.plans, seat)), line
