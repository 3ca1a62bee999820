"""The widest names, 24 W's, stay inside a narrow phone's page."""

from collections.abc import Callable

from players import Player
from playwright.sync_api import expect

NAME, PHONE = "W" * 24, {"width": 360, "height": 740}

BEYOND = """() => {
    const found = [];
    const page = document.documentElement;
    if (page.scrollWidth > innerWidth) found.push(`the page is ${page.scrollWidth} wide`);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode()); ) {
        const element = node.parentElement;
        if (!node.data.includes("WWWW") || element.closest(".hidden") || !element.checkVisibility()) continue;
        let shortened = false;
        for (let up = element; up; up = up.parentElement)
            shortened ||= getComputedStyle(up).textOverflow === "ellipsis";
        const range = document.createRange();
        range.selectNodeContents(node);
        const right = Math.max(...[...range.getClientRects()].map(box => box.right));
        if (!shortened && right > innerWidth + 1) found.push(`${element.tagName}.${element.className}: ${right}`);
    }
    return found;
}"""


def test_the_widest_names_stay_on_a_narrow_page(house, visit: Callable[..., Player]) -> None:
    host, friend = (visit(house.url, viewport=PHONE) for _ in range(2))
    host.rename(NAME)
    found = {"home": host.page.evaluate(BEYOND)}
    seats = [{"for": "me"}, {"for": "anyone"}, {"for": "anyone"}]
    link = host.make_table(options={"players": 3, "start": 1}, seats=seats, open=True)
    host.page.goto(link)
    listed = friend.page.get_by_role("region", name="Open tables").get_by_role("listitem").filter(has_text=NAME)
    expect(listed).to_be_visible()
    found["lobby"] = friend.page.evaluate(BEYOND)
    friend.page.goto(link)
    friend.sit_down(NAME)
    expect(host.page.get_by_text(NAME)).to_have_count(2)
    found["waiting"] = host.page.evaluate(BEYOND)
    host.button("Close to newcomers").click()
    expect(host.page.get_by_text("closed to newcomers")).to_be_visible()
    late = visit(link, viewport=PHONE)
    expect(late.page.get_by_role("heading", name="This table is closed")).to_be_visible()
    host.button("Let the computer take seat 3").click()
    host.await_turn()
    expect(friend.status).to_contain_text(NAME)
    found["table"] = host.page.evaluate(BEYOND) + friend.page.evaluate(BEYOND)
    host.play_by_socket([(1, "resign")])
    friend.play_by_socket([(2, "resign")])
    expect(friend.dialog).to_be_visible()
    found["end"] = friend.page.evaluate(BEYOND)
    assert not any(found.values()), found


def test_a_guest_leaves_everywhere(house, visit: Callable[..., Player]) -> None:
    """It is asked once more; then the other windows of the same guest are strangers too."""
    player = visit(house.url)
    player.rename("Annalisa")
    second = player.page.context.new_page()
    second.goto(house.url)
    player.page.get_by_role("button", name="You are Annalisa").click()
    player.dialog.get_by_role("button", name="Leave everywhere").click()
    expect(player.dialog).to_contain_text("Forget me on all devices")
    with player.page.expect_navigation():
        player.dialog.get_by_role("button", name="Leave now").click()
    expect(player.page.get_by_role("button", name="You are")).to_be_visible()
    expect(player.page.get_by_role("button", name="You are Annalisa")).to_have_count(0)
    second.reload()
    expect(second.get_by_role("button", name="You are Annalisa")).to_have_count(0)
    second.close()
