"""Makes the pictures of the README: the sample users, as people see them."""

import pathlib

import browser
from service import Service

FOLDER = pathlib.Path(__file__).parent / "Pictures"

PICTURES = [
    ("light", "/users?sort=lastName", 1200, 720, "light"),
    ("dark", "/users?group=none&sort=-age", 1200, 720, "dark"),
    ("phone", "/users?sort=lastName", 390, 720, "light"),
    ("grid", "/users?layout=grid", 1200, 720, "light"),
]


def main():
    FOLDER.mkdir(exist_ok=True)
    with Service("--allow-anonymous-writes") as service, browser.Browser() as chromium:
        for name, path, width, height, theme in PICTURES:
            page = chromium.page(width, theme, locale="en-US")
            page.set_viewport_size({"width": width, "height": height})
            page.goto(service.base + path)
            page.wait_for_timeout(500)
            page.screenshot(path=FOLDER / f"{name}.png")
            page.context.close()
            print(f"Tests/Browser/Pictures/{name}.png")


if __name__ == "__main__":
    main()
