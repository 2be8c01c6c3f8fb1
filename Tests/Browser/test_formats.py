"""Values in the format of their column: images of allowed hosts, distances of times, badges."""

import functools
import http.server
import json
import struct
import threading
import zlib

import browser
from service import Service


def picture():
    """A PNG of one red pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b""))


class Images(http.server.BaseHTTPRequestHandler):
    """Answers every request with an image, and notes its fields."""

    def __init__(self, asked, *arguments):
        self.asked = asked
        super().__init__(*arguments)

    def do_GET(self):
        self.asked.append(self.headers)
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.end_headers()
        self.wfile.write(picture())

    def log_message(self, *_):
        pass


class FormatTests(browser.BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.asked = {"allowed": [], "other": []}
        cls.servers = {}
        for name, asked in cls.asked.items():
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Images, asked))
            threading.Thread(target=server.serve_forever, daemon=True).start()
            cls.servers[name] = server
        ports = {name: server.server_address[1] for name, server in cls.servers.items()}
        rows = cls.file("things.csv")
        with open(rows, "w", encoding="utf-8") as file:
            file.write("id,name,photo,seen,state,notes\n")
            file.write(f"1,a,http://127.0.0.1:{ports['allowed']}/a.png,2001-01-01T00:00:00Z,open,"
                       + "word " * 100 + "\n")
            file.write(f"2,b,http://127.0.0.1:{ports['other']}/b.png,2002-01-01T00:00:00Z,shut,x\n")
        lists = cls.file("lists.json")
        columns = {"photo": {"format": "image"}, "seen": {"format": "relative"},
                   "state": {"format": "badge"}}
        with open(lists, "w", encoding="utf-8") as file:
            json.dump({"lists": {"things": {"description": "Things.", "columns": columns}}}, file)
        cls.serve(Service(str(rows), "--describe", str(lists),
                          "--image-hosts", f"127.0.0.1:{ports['allowed']}"))

    @classmethod
    def tearDownClass(cls):
        for server in cls.servers.values():
            server.shutdown()
            server.server_close()
        super().tearDownClass()

    def test_shows_images_of_allowed_hosts_and_links_to_others(self):
        page = self.browser.page()
        page.goto(self.service.base + "/things")
        page.wait_for_function("document.images.length === 1 && document.images[0].naturalWidth === 1")
        self.assertEqual({fields["Referer"] for fields in self.asked["allowed"]}, {None})
        self.assertEqual(self.asked["other"], [])
        links = page.eval_on_selector_all("#r-2 td a", "all => all.map(one => one.textContent)")
        self.assertEqual(browser.violations(page), [])
        self.assertEqual(len(links), 1)
        self.assertTrue(links[0].endswith("/b.png"))
        page.context.close()

    def test_forbids_images_of_other_hosts_by_its_policy(self):
        # Other pages of these tests have no policy, for the checks that run in them.
        page = self.browser.chromium.new_page()
        page.goto(self.service.base + "/things")
        loads = """(address) => new Promise((done) => {
            const image = new Image();
            image.onerror = () => done(false);
            image.onload = () => done(true);
            image.src = address;
        })"""
        address = "http://127.0.0.1:{}/c.png"
        for name, is_shown in {"allowed": True, "other": False}.items():
            port = self.servers[name].server_address[1]
            self.assertEqual(page.evaluate(loads, address.format(port)), is_shown, name)
        self.assertEqual(self.asked["other"], [])
        page.close()

    def test_shows_times_by_their_distance_with_the_time_as_a_title(self):
        page = self.browser.page()
        page.goto(self.service.base + "/things")
        time = page.locator("#r-1 time")
        self.assertRegex(time.text_content(), r"^\d\d years ago$")
        self.assertIn("2001", time.get_attribute("title"))
        page.context.close()

    def test_opens_long_texts_in_their_cell(self):
        page = self.browser.page()
        page.goto(self.service.base + "/things")
        height = "document.querySelector('#r-1').getBoundingClientRect().height"
        before = page.evaluate(height)
        page.locator("#r-1 .more summary").click()
        self.assertGreater(page.evaluate(height), before)
        self.assertEqual(page.locator("#r-1 .more").text_content().count("word"), 100)
        page.context.close()
