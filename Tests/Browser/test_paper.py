"""Lists on paper, from right to left, and long texts: every cell is whole and in its reading order."""

import csv
import io
import json
import re
import unittest

import browser
import pypdf
from service import Service

NUMBER = "+49 30 3631528"
ENGLISH = "The quick brown fox jumps over the lazy dog, and on and on, until the very end of it."
HEBREW = "שלום עולם (123), זה טקסט ארוך מאוד שחייב להיחתך כי הוא ארוך יותר מהתא ואין לו מקום."
LINES = "First line\nSecond line\n\n" + "Many words that go on. " * 60

#: Where the first and the last character of the text of an element are.
ENDS = """cell => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), text = texts.nextNode(), range = new Range();
    const at = (index) => {
        range.setStart(text, index);
        range.setEnd(text, index + 1);
        return range.getBoundingClientRect();
    };
    const frame = cell.getBoundingClientRect(), first = at(0), last = at(text.data.trimEnd().length - 1);
    return { first: first.left, last: last.left, isFirstSeen: first.left >= frame.left && first.right <= frame.right };
}"""


class PaperTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()

        def write(name, head, rows):
            with open(cls.file(name), "w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([head, *rows])

        columns = range(26)
        for name, count in (("wide.csv", 40), ("large.csv", 450)):
            write(name, ["id", "name", *(f"column {column}" for column in columns)], [
                [row + 1, f"Row {row}", *(f"r{row}c{column} of words" for column in columns)] for row in range(count)
            ])
        write("few.csv", ["id", "name", *"abcdef"], [
            [row + 1, f"Row {row}", *(f"r{row}c{column} with words that go on and on" for column in range(6))]
            for row in range(40)
        ])
        write("texts.csv", ["id", "name", "phone", "english", "hebrew", "lines", "body"], [
            [row + 1, "Ada", NUMBER, ENGLISH, HEBREW, "a\nb", LINES + f"r{row}c0"] for row in range(3)
        ])
        lists = cls.file("lists.json")
        with open(lists, "w", encoding="utf-8") as file:
            formats = {"phone": {"format": "phone"}, "body": {"format": "long-text"}}
            json.dump({"lists": {"texts": {"description": "Texts.", "columns": formats}}}, file)
        names = ("wide", "large", "few", "texts")
        cls.serve(Service(*(cls.file(f"{name}.csv") for name in names), "--describe", lists))

    def open(self, path, script=True, **options):
        page = self.browser.page(script=script, **options)
        self.addCleanup(page.context.close)
        page.goto(self.service.base + path)
        return page

    def test_prints_every_cell_on_paper(self):
        for path, rows, columns in (("/wide", 40, 26), ("/large?limit=450", 450, 26), ("/few", 40, 6), ("/texts", 3, 1)):
            for script in (True, False):
                if path.startswith("/large") and not script:
                    continue
                page = self.open(path, script)
                paper = pypdf.PdfReader(io.BytesIO(page.pdf(format="A4")))
                printed = set(re.findall(r"r\d+c\d+", " ".join(sheet.extract_text() for sheet in paper.pages)))
                wanted = {f"r{row}c{column}" for row in range(rows) for column in range(columns)}
                self.assertEqual(wanted - printed, set(), (path, script))
                page.set_viewport_size({"width": 794, "height": 1123})
                page.emulate_media(media="print")
                widest = page.evaluate(
                    "Math.max(...[...document.querySelectorAll('#list :is(td, th)')].map((cell) => cell.getBoundingClientRect().right))"
                )
                self.assertLessEqual(widest, 795, (path, script))

    def test_shows_texts_of_the_other_direction_in_their_order(self):
        for path, part in (("/texts", "td"), ("/texts/1", "dd"), ("/texts?layout=grid", "dd")):
            for locale in ("he-IL", "en"):
                page = self.open(path, locale=locale)
                for text in (NUMBER, ENGLISH, HEBREW):
                    cell = page.locator(part, has_text=text).first
                    ends = cell.evaluate(ENDS)
                    self.assertEqual(ends["first"] < ends["last"], text != HEBREW, (path, locale, text))
                    self.assertTrue(ends["isFirstSeen"], (path, locale, text))

    def test_keeps_the_lines_of_long_texts_and_gives_them_the_page(self):
        page = self.open("/texts/1")
        body = page.locator("dd", has_text="First line").bounding_box()
        self.assertGreater(body["width"], 900)
        self.assertLess(body["height"], 500)
        self.assertGreater(page.locator(".long").bounding_box()["width"], 900)
        lines = page.locator("dt:text('Lines') + dd")
        self.assertEqual(lines.inner_text(), "a\nb")
        self.assertGreater(lines.bounding_box()["height"], 35)


if __name__ == "__main__":
    unittest.main()
