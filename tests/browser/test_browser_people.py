"""With people: two browsers through a link, and several at one device."""

import re
from collections.abc import Callable

from players import Player
from playwright.sync_api import expect


def test_two_browsers_through_a_link(house, visit: Callable[..., Player]) -> None:
    host = visit(house.url)
    host.new_table("By a link")
    host.page.get_by_label("Name, seat 1").fill("Heron")
    host.page.get_by_label("Who begins").select_option(index=1)
    host.button("Get the link").click()
    link = host.page.get_by_label("Link to this table").input_value()
    expect(host.page.get_by_role("heading", name="One seat is free")).to_be_visible()
    host.button("Copy the link").click()
    expect(host.button("Copied")).to_be_visible()

    friend = visit(link)
    expect(friend.page.get_by_role("heading", name="There is a seat for you")).to_be_visible()
    friend.page.get_by_label("Your name").fill("Wren")
    friend.button("Sit down").click()

    host.await_turn()
    expect(host.status).to_contain_text("Your turn. Four pins to place.")
    expect(friend.status).to_contain_text("Heron’s turn.")
    expect(friend.status).not_to_contain_text("pins to place")
    friend.hole("a1").click()
    expect(friend.page.get_by_role("alert")).to_contain_text("It is Heron’s turn.")
    for hole in ("a1", "b1", "c1", "d1"):
        host.put(hole)
        expect(friend.hole(hole)).not_to_have_attribute("aria-label", f"{hole}, empty")
    friend.await_turn()
    friend.put("j10")
    expect(host.hole("j10")).to_have_attribute("aria-label", "j10, red")
    assert host.board() == friend.board()
    assert host.points() == friend.points()

    watcher = visit(link)
    expect(watcher.status).to_contain_text("Wren’s turn.")
    expect(watcher.button("Resign")).to_have_count(0)

    friend.button("Resign").click()
    friend.dialog.get_by_role("button", name="Resign").click()
    expect(host.dialog.get_by_role("heading", level=2)).to_have_text("You win!")
    expect(friend.dialog.get_by_role("heading", level=2)).to_have_text("Heron wins.")
    host.dialog.get_by_role("button", name="Rematch").click()
    friend.dialog.get_by_role("button", name="Go to the rematch").click()
    for player in (host, friend):
        expect(player.page.get_by_role("list", name="Players")).to_contain_text("Wren")
    friend.await_turn()  # seat 1 begins, and everybody has moved up one seat
    assert host.page.url == friend.page.url


def test_three_at_one_device_and_the_computer(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url)
    player.new_table("On this device")
    player.dialog.get_by_text("4", exact=True).click()
    for seat, name in enumerate(("Lark", "Tern", "Ibis"), start=1):
        player.page.get_by_label(f"Name, seat {seat}").fill(name)
    player.page.get_by_label("Who takes seat 4?").select_option("novice")
    player.page.get_by_label("Teams").select_option(label="In pairs: 1 and 3 against 2 and 4")
    player.page.get_by_label("Who begins").select_option(index=1)
    player.button("Start").click()
    for name in ("Lark", "Tern", "Ibis"):
        expect(player.status).to_contain_text(f"{name}’s turn. Four pins to place.")
        for _ in range(4):
            player.await_turn()
            player.put_somewhere()
    expect(player.status).to_contain_text("Lark’s turn. Four pins to place.")
    points = player.points()
    ibis = player.page.get_by_role("list", name="Players").get_by_role("listitem").filter(has_text="Ibis")
    expect(ibis).to_contain_text(f"Team 1: {points[0] + points[2]}")


def test_time_runs_out(house, visit: Callable[..., Player]) -> None:
    player = visit(house.url)
    player.page.goto(
        player.make_table(options={"players": 2, "start": 1, "turn_seconds": 5}, seats=[{"for": "me"}, {"for": "me"}])
    )
    player.await_turn()
    expect(player.seats.first.get_by_role("timer")).to_have_text(re.compile(r"0:0\d"))
    expect(player.log.filter(has_text="out of time, no points").nth(1)).to_be_visible()  # a turn of each seat
    assert player.points() == [0, 0]


def test_a_player_beside_wins_on_time(house, visit: Callable[..., Player]) -> None:
    """At a shared device the clock means what it means elsewhere."""
    player = visit(house.url)
    player.page.goto(player.make_table(clock={"turn": 5}, seats=[{"for": "me"}, {"for": "me"}]))
    player.await_turn()
    question = player.page.get_by_role("status").filter(has_text="has run out of time.")
    question.get_by_role("button", name="Claim the win").click()
    player.dialog.get_by_role("button", name="Claim the win").click()
    expect(player.dialog.get_by_role("heading", level=2)).to_contain_text("wins")
    expect(player.seats.nth(1)).to_have_class(re.compile("won"))
