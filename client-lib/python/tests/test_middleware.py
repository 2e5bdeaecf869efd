import asyncio

import pytest
from fastapi import APIRouter, FastAPI
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route

from hdr_sidecar import Client, asgi, wsgi


@pytest.fixture
def client():
    return Client.from_environment({}, enabled=False)


def counted(client):
    return {
        recorder.key.labels: counts.total
        for recorder in client._recorders.values()
        if (counts := recorder.harvest()).total
    }


class Matched:
    path = "/items/{id}"


async def asgi_call(app, method="GET", kind="http", **scope):
    sent = []

    async def send(message):
        sent.append(message)

    await app({"type": kind, "method": method, "route": Matched(), **scope}, None, send)
    return sent


async def fine(scope, receive, send):
    await send({"type": "http.response.start", "status": 204})
    await send({"type": "http.response.body"})


async def failing(scope, receive, send):
    raise KeyError("x")


def test_asgi_requests_have_method_status_and_route(client):
    app = asgi.LatencyMiddleware(fine, client)
    assert len(asyncio.run(asgi_call(app))) == 2
    asyncio.run(asgi_call(app, "BREW"))
    assert counted(client) == {
        (("method", "GET"), ("route", "/items/{id}"), ("status", "204")): 1,
        (("method", "other"), ("route", "/items/{id}"), ("status", "204")): 1,
    }


def test_asgi_failure_is_a_status_500_and_goes_on(client):
    with pytest.raises(KeyError):
        asyncio.run(asgi_call(asgi.LatencyMiddleware(failing, client, route=lambda _: "")))
    assert counted(client) == {(("method", "GET"), ("status", "500")): 1}


def test_asgi_request_lasts_until_its_whole_body_is_sent(client):
    seen = []

    async def streaming(scope, receive, send):
        await send({"type": "http.response.start", "status": 200})
        await send({"type": "http.response.body", "body": b"a", "more_body": True})
        seen.append(counted(client))
        await send({"type": "http.response.body", "body": b"b"})
        seen.append(counted(client))

    asyncio.run(asgi_call(asgi.LatencyMiddleware(streaming, client, route=lambda _: "")))
    assert seen == [{}, {(("method", "GET"), ("status", "200")): 1}]
    assert counted(client) == {}


def test_asgi_request_without_an_end_of_its_body_lasts_until_the_application_returns(client):
    async def endless(scope, receive, send):
        await send({"type": "http.response.start", "status": 200})
        await send({"type": "http.response.body", "body": b"a", "more_body": True})

    asyncio.run(asgi_call(asgi.LatencyMiddleware(endless, client, route=lambda _: "")))
    assert counted(client) == {(("method", "GET"), ("status", "200")): 1}


def test_asgi_background_tasks_are_no_part_of_a_request(client):
    seen = []

    async def answer(request):
        background = BackgroundTask(lambda: seen.append(counted(client)))
        return PlainTextResponse("x", background=background)

    app = Starlette(routes=[Route("/x", answer)])
    app.add_middleware(asgi.LatencyMiddleware, client=client, route=lambda _: "")
    asyncio.run(asgi_call(app, path="/x", headers=[], query_string=b""))
    assert seen == [{(("method", "GET"), ("status", "200")): 1}]
    assert counted(client) == {}


def routes(client, app, paths, **scope):
    """The label of the only request to each path."""
    app.add_middleware(asgi.LatencyMiddleware, client=client)
    return {path: route(client, app, path, **scope) for path in paths.split()}


def route(client, app, path, **scope):
    async def receive():
        return {"type": "http.request", "body": b""}

    async def called():
        async def send(message):
            pass

        everything = {"path": path, "headers": [], "query_string": b"", "scheme": "http", **scope}
        await app({"type": "http", "method": "GET", **everything}, receive, send)

    asyncio.run(called())
    ((labels, count),) = counted(client).items()
    assert count == 1
    return dict(labels).get("route")


async def item(request):
    return PlainTextResponse("item")


def test_starlette_routes_have_where_they_are_mounted_in_front(client):
    inner = [Route("/items/{id:int}", item), Route("/files/{rest:path}", item)]
    app = Starlette(
        routes=[
            Route("/items/{id}", item),
            Mount("/v1", routes=[Mount("/deep", routes=inner), *inner]),
            Mount("/v2", routes=inner),
            Mount("/of/{shop}", routes=inner),
            Mount("/number/{shop:int}", routes=inner),
            Mount("/static", fine),
        ]
    )
    expected = {
        "/items/5": "/items/{id}",
        "/v1/items/5": "/v1/items/{id:int}",
        "/v2/items/6": "/v2/items/{id:int}",
        "/v1/deep/items/7": "/v1/deep/items/{id:int}",
        "/v1/files/a/files/b": "/v1/files/{rest:path}",
        "/of/acme/items/5": "/of/{shop}/items/{id:int}",
        "/of/5/items/5": "/of/{shop}/items/{id:int}",
        "/number/5/items/6": "/number/{shop}/items/{id:int}",
        "/number/05/items/6": "/items/{id:int}",  # not found by its value, so not told
        "/static/a/b.css": "/static",
        "/v1/nowhere": "/v1",
        "/nowhere": None,
    }
    assert routes(client, app, " ".join(expected)) == expected


def test_fastapi_routes_have_where_their_router_is_included_in_front(client):
    router = APIRouter()

    @router.get("/items/{item_id}")
    def read(item_id):
        return item_id

    app, mounted = FastAPI(), FastAPI()
    app.include_router(router, prefix="/v1")
    app.include_router(router, prefix="/v2")
    app.include_router(router, prefix="/of/{shop}")
    mounted.include_router(router, prefix="/v3")
    app.mount("/mounted/{tenant}", mounted)
    expected = {
        "/v1/items/5": "/v1/items/{item_id}",
        "/v2/items/5": "/v2/items/{item_id}",
        "/of/acme/items/5": "/of/{shop}/items/{item_id}",
        "/mounted/acme/v3/items/5": "/mounted/{tenant}/v3/items/{item_id}",
        "/nowhere": None,
    }
    assert routes(client, app, " ".join(expected)) == expected


def test_route_has_nothing_of_what_the_server_is_mounted_at(client):
    app = Starlette(routes=[Mount("/v1", routes=[Route("/x", item)]), Route("/y", item)])
    expected = {"/proxy/v1/x": "/v1/x", "/proxy/y": "/y"}
    assert routes(client, app, " ".join(expected), root_path="/proxy") == expected


def test_route_of_a_framework_without_parameters_is_what_it_says(client):
    app = asgi.LatencyMiddleware(fine, client)
    asyncio.run(asgi_call(app, path="/tenant-7/items/5"))
    assert counted(client) == {(("method", "GET"), ("route", "/items/{id}"), ("status", "204")): 1}


def test_asgi_other_scopes_pass_through(client):
    asyncio.run(asgi_call(asgi.LatencyMiddleware(fine, client), kind="websocket"))
    assert counted(client) == {}


class Body:
    closed = False

    def __iter__(self):
        yield b"a"
        yield b"b"

    def close(self):
        self.closed = True


def test_wsgi_request_lasts_until_its_body_is_closed(client):
    body = Body()
    seen = []

    def app(environ, start_response):
        start_response("201 Created", [])
        return body

    middleware = wsgi.LatencyMiddleware(app, client, route=lambda environ: environ["route"])
    answer = middleware({"REQUEST_METHOD": "POST", "route": "/a"}, lambda *a: seen.append(a))
    assert list(answer) == [b"a", b"b"]
    assert counted(client) == {}
    answer.close()
    answer.close()
    assert body.closed
    assert seen == [("201 Created", [])]
    assert counted(client) == {(("method", "POST"), ("route", "/a"), ("status", "201")): 1}


def test_wsgi_failures_are_a_status_500(client):
    def early(environ, start_response):
        raise KeyError("x")

    def late(environ, start_response):
        start_response("200 OK", [])
        yield b"a"
        raise KeyError("x")

    with pytest.raises(KeyError):
        wsgi.LatencyMiddleware(early, client)({"REQUEST_METHOD": "GET"}, lambda *a: None)
    body = wsgi.LatencyMiddleware(late, client)({"REQUEST_METHOD": "GET"}, lambda *a: None)
    with pytest.raises(KeyError):
        list(body)
    body.close()
    assert counted(client) == {(("method", "GET"), ("status", "500")): 2}


@pytest.mark.parametrize("route", [lambda scope: scope["nowhere"], lambda scope: ["/a"]])
def test_middleware_with_a_route_that_fails_does_not_fail_the_request(client, route):
    app = asgi.LatencyMiddleware(fine, client, route=route)
    assert len(asyncio.run(asgi_call(app))) == 2
    assert counted(client) == {(("method", "GET"), ("status", "204")): 1}
