"""A server that implements the part of S3 that Arrow uses, with objects in memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

Objects = dict[str, bytes]


class SmallStore(ThreadingHTTPServer):
    """`objects` holds content by bucket and key. `watch` is called with the path of each object
    before it is stored.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Requests)
        self.objects: Objects = {}
        self.parts: dict[tuple[str, int], bytes] = {}
        self.watch: Callable[[str], None] = lambda path: None
        self.headers_seen: list[str] = []

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def put(self, path: str, content: bytes) -> None:
        self.objects[path] = content

    def below(self, prefix: str) -> Objects:
        """The objects below a prefix, by the rest of their names."""
        return {k.removeprefix(prefix): v for k, v in self.objects.items() if k.startswith(prefix)}

    def handle_error(self, request: object, client_address: object) -> None:
        """A killed client is not an error."""


class _Requests(BaseHTTPRequestHandler):
    server: SmallStore
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def _asked(self) -> tuple[str, dict[str, str]]:
        url = urlsplit(self.path)
        query = {key: one[0] for key, one in parse_qs(url.query, keep_blank_values=True).items()}
        self.server.headers_seen.append(self.headers.get("Authorization", ""))
        return unquote(url.path)[1:], query

    def _answer(self, code: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if "Content_Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _missing(self) -> None:
        self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>", Content_Type="application/xml")

    def do_HEAD(self) -> None:
        path, _ = self._asked()
        if path in self.server.objects:
            size = str(len(self.server.objects[path]))
            self._answer(200, Content_Length=size, ETag='"e"', Accept_Ranges="bytes")
        elif "/" not in path.rstrip("/"):
            self._answer(200)
        else:
            self._missing()

    def do_GET(self) -> None:
        path, query = self._asked()
        if "list-type" in query:
            self._list(path.rstrip("/"), query)
        elif path in self.server.objects:
            content, code = self.server.objects[path], 200
            if wanted := self.headers.get("Range", "").removeprefix("bytes="):
                first, _, last = wanted.partition("-")
                content, code = content[int(first) : int(last or len(content)) + 1], 206
            self._answer(code, content, ETag='"e"')
        else:
            self._missing()

    def _list(self, bucket: str, query: dict[str, str]) -> None:
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
        keys, folders = [], set()
        for path in sorted(self.server.objects):
            key = path.removeprefix(f"{bucket}/")
            if not path.startswith(f"{bucket}/{prefix}"):
                continue
            rest = key[len(prefix) :]
            if delimiter and delimiter in rest:
                folders.add(prefix + rest.split(delimiter)[0] + delimiter)
            else:
                keys.append(f"<Contents><Key>{escape(key)}</Key><Size>"
                            f"{len(self.server.objects[path])}</Size></Contents>")  # fmt: skip
        found = "".join(f"<CommonPrefixes><Prefix>{escape(f)}</Prefix></CommonPrefixes>"
                        for f in sorted(folders))  # fmt: skip
        page = f"<ListBucketResult><IsTruncated>false</IsTruncated>{''.join(keys)}{found}"
        body = f'<?xml version="1.0"?>{page}</ListBucketResult>'.encode()
        self._answer(200, body, Content_Type="application/xml")

    def _body(self) -> bytes:
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            body = b""
            while size := int(self.rfile.readline().partition(b";")[0], 16):
                body += self.rfile.read(size + 2)[:-2]
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if "aws-chunked" not in self.headers.get("Content-Encoding", "") and (
            "x-amz-decoded-content-length" not in self.headers
        ):
            return body
        content = b""
        while body:
            head, _, body = body.partition(b"\r\n")
            length = int(head.partition(b";")[0], 16)
            content, body = content + body[:length], body[length + 2 :]
            if not length:
                break
        return content

    def do_PUT(self) -> None:
        path, query = self._asked()
        content = self._body()
        if "partNumber" in query:
            self.server.parts[query["uploadId"], int(query["partNumber"])] = content
        else:
            self._store(path, content)
        self._answer(200, ETag='"e"')

    def _store(self, path: str, content: bytes) -> None:
        self.server.watch(path)
        self.server.objects[path] = content

    def do_POST(self) -> None:
        path, query = self._asked()
        self._body()
        if "uploads" in query:
            body = f"<InitiateMultipartUploadResult><UploadId>{len(self.server.headers_seen)}"
            body += "</UploadId></InitiateMultipartUploadResult>"
        else:
            number = query["uploadId"]
            mine = sorted(key for key in self.server.parts if key[0] == number)
            self._store(path, b"".join(self.server.parts.pop(key) for key in mine))
            body = "<CompleteMultipartUploadResult><ETag>e</ETag></CompleteMultipartUploadResult>"
        self._answer(200, body.encode(), Content_Type="application/xml")

    def do_DELETE(self) -> None:
        path, _ = self._asked()
        self.server.objects.pop(path, None)
        self._answer(204)


@contextmanager
def small_store() -> Iterator[SmallStore]:
    """The server, running until the test ends."""
    store = SmallStore()
    thread = threading.Thread(target=store.serve_forever, daemon=True)
    thread.start()
    try:
        yield store
    finally:
        store.shutdown()
        store.server_close()
