"""A language model's endpoint, tested against a server that misbehaves on purpose."""

import logging
import socket
import threading

import anyio
import httpx
import pytest

from commonground.errors import EndpointError, InputError
from commonground.narratives.generators import Llm, Patience
from commonground.score import Signature
from llm_server import SECRET, LlmServer

MESSAGES = [{"role": "user", "content": "What do they agree on?"}]
EVENTS = [("one", "two"), ("three", "four"), ("five", "six")]


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("COMMONGROUND_API_KEY", SECRET)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with LlmServer().running() as found:
        yield found


@pytest.fixture
def pauses(monkeypatch):
    """The seconds that were waited between attempts, in no time."""
    found = []

    async def pause(seconds):
        found.append(seconds)

    monkeypatch.setattr(anyio, "sleep", pause)
    return found


def ask(server, pauses, **patience):
    """Send the messages as they are, without a prompt."""
    waits = Patience(**{"timeout": 20.0, "retries": 3, **patience})
    writer = Llm("tiny", server.url, max_tokens=50, patience=waits)

    async def asked():
        async with writer._client() as client:
            return await writer.ask(client, MESSAGES)

    return anyio.run(asked)


def test_an_answer_comes_with_its_tokens(server, pauses):
    written = ask(server, pauses)
    assert written.text == "The ferry ran aground on Saturday."
    assert (written.tokens.read, written.tokens.written) == (100, 7)
    assert server.requests == [
        {"model": "tiny", "messages": MESSAGES, "temperature": 0, "max_tokens": 50}
    ]
    assert server.keys == [f"Bearer {SECRET}"]
    assert pauses == []


@pytest.mark.parametrize("trouble", ["429", "500", "503", "half", "garbage", "empty", "drop"])
def test_what_may_pass_is_tried_again_after_longer_and_longer_waits(server, pauses, trouble):
    server.script = [trouble, trouble, "fine"]
    assert ask(server, pauses).text
    assert len(server.requests) == 3
    assert 1 <= pauses[0] <= 1.25 and 2 <= pauses[1] <= 2.5


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        ("429", "answered 429"),
        ("500", "answered 500"),
        ("half", "broke off in the middle of a reply"),
        ("garbage", "not JSON"),
        ("empty", "without a text"),
    ],
)
def test_trouble_without_end_is_one_line(server, pauses, trouble, told):
    server.usual = trouble
    with pytest.raises(EndpointError) as caught:
        ask(server, pauses)
    line = str(caught.value)
    assert told in line and "(4 attempts)" in line and "\n" not in line
    assert SECRET not in line
    assert len(server.requests) == 4 and len(pauses) == 3


@pytest.mark.parametrize(
    ("message", "word", "told"),
    [
        ({"content": ""}, "fine", "answered without a text (choices"),
        ({"content": " \n"}, "fine", "answered without a text (choices"),
        ({"content": "\x1b[0m"}, "fine", "answered without a text (choices"),
        ({"content": None}, "fine", "answered without a text (choices"),
        ({"content": None, "refusal": "I\ncan't."}, "fine", "and refuses (I can't.)"),
        ({"content": ""}, "cut", "without a text, though it had 50 tokens for it"),
    ],
)
def test_an_empty_answer_is_tried_again_and_then_an_error(server, pauses, message, word, told):
    server.messages, server.usual = [message], word
    assert ask(server, pauses).text and len(server.requests) == 2
    server.messages = [message] * 4
    with pytest.raises(EndpointError) as caught:
        ask(server, pauses)
    line = str(caught.value)
    assert told in line and line.endswith("(4 attempts)") and "\n" not in line


@pytest.mark.parametrize("word", ["NOTHING", "Nothing.", "**NOTHING**"])
def test_that_nothing_is_shared_is_an_answer(server, pauses, word):
    server.answer = lambda messages: word
    written = ask(server, pauses)
    assert (written.text, written.warning, len(server.requests)) == ("", None, 1)


def test_commands_to_a_terminal_are_no_part_of_a_text(server, pauses):
    said = "\x1b[31mThe ferry\x1b[0m ran\x07 aground.\r\n\x1b]0;title\x07Nobody was \x9b1mhurt."
    server.answer = lambda messages: said
    assert ask(server, pauses).text == ("The ferry ran aground.\nNobody was hurt.")


def test_a_hanging_endpoint_is_given_up(server, pauses):
    server.usual = "hang"
    with pytest.raises(EndpointError, match=r"did not answer within 0\.2 seconds \(2 attempts\)"):
        ask(server, pauses, timeout=0.2, retries=1)


@pytest.mark.parametrize("where", ["drip-headers", "drip-body"])
def test_a_dripping_endpoint_is_hung_up_on(server, pauses, where):
    server.usual = where  # which would be fine after four seconds
    with pytest.raises(EndpointError, match=r"did not answer within 0\.3 seconds \(1 attempt\)"):
        ask(server, pauses, timeout=0.3, retries=0)
    assert server.hung_up.wait(20)


def test_whoever_stops_asking_hangs_up(server):
    server.script = ["fine", "drip-headers"]
    answers = Llm("tiny", server.url, concurrency=2).write(EVENTS)
    next(answers)
    assert server.dripping.wait(20)
    answers.close()
    assert server.hung_up.wait(20)


@pytest.mark.parametrize(
    ("said", "kept", "told"),
    [
        ("The ferry ran aground. Its captain had", "The ferry ran aground.", "is left out"),
        ("The ferry ran aground. It cost 2.", "The ferry ran aground.", "is left out"),
        ("The ferry ran aground. Nobody was hurt.", None, "cut off at 50 tokens"),
        ("The ferry ran", None, "in the middle of its only sentence"),
    ],
)
def test_an_answer_that_was_cut_off_loses_what_has_no_end(server, pauses, said, kept, told):
    server.usual, server.answer = "cut", lambda messages: said
    written = ask(server, pauses)
    assert written.text == (said if kept is None else kept)
    assert written.warning and told in written.warning and "\n" not in written.warning


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": float("inf"), "completion_tokens": 7}, (0, 7)),
        ({"prompt_tokens": float("nan"), "completion_tokens": -3}, (0, 0)),
        ({"prompt_tokens": "many", "completion_tokens": [7]}, (0, 0)),
        ({"prompt_tokens": 10**400, "completion_tokens": 7.0}, (0, 7)),
        ([1, 2], (0, 0)),
        ("none", (0, 0)),
        (None, (0, 0)),
    ],
)
def test_a_text_is_not_thrown_away_for_a_strange_usage(server, pauses, usage, tokens):
    server.usage = usage
    written = ask(server, pauses)
    assert written.text == "The ferry ran aground on Saturday." and written.warning is None
    assert (written.tokens.read, written.tokens.written) == tokens


@pytest.mark.parametrize("key", ["a\nb", "a b", "a\tb", "k\x7fy", "clé", "a\r\nX: y"])
def test_a_key_that_no_header_takes_is_refused_and_not_repeated(server, monkeypatch, key):
    monkeypatch.setenv("COMMONGROUND_API_KEY", key)
    with pytest.raises(InputError, match="the key in the environment has") as caught:
        Llm("tiny", server.url)
    assert key not in str(caught.value) and "\n" not in str(caught.value)
    assert server.requests == []


def test_a_key_may_end_with_a_line_break(server, monkeypatch):
    monkeypatch.setenv("COMMONGROUND_API_KEY", f"{SECRET}\r\n")
    assert list(Llm("tiny", server.url).write(EVENTS[:1]))
    assert server.keys == [f"Bearer {SECRET}"]


@pytest.mark.parametrize(
    "error", [httpx.LocalProtocolError, httpx.ConnectError, httpx.ProxyError, httpx.DecodingError]
)
def test_what_a_library_says_is_told_without_the_key(server, pauses, monkeypatch, error):
    def fail(*_, **__):
        raise error(f"Illegal header value b'Bearer {SECRET}'\nand more")

    monkeypatch.setattr(httpx.AsyncClient, "stream", fail)
    with pytest.raises(EndpointError, match=r"Illegal header value b'Bearer \*\*\*'") as caught:
        ask(server, pauses)
    assert SECRET not in str(caught.value) and "\n" not in str(caught.value)


def test_a_key_that_comes_back_in_a_text_is_not_kept(server, pauses):
    server.answer = lambda messages: f"They agree on {SECRET}."
    assert ask(server, pauses).text == "They agree on ***."


def test_a_word_that_is_no_secret_stays_in_a_text(server, pauses, monkeypatch):
    monkeypatch.setenv("COMMONGROUND_API_KEY", "ferry")
    assert ask(server, pauses).text == "The ferry ran aground on Saturday."


def test_host_and_path_stand_in_the_signature_and_nothing_breaks_it(server):
    settings = Llm("a|b", f"{server.url}/").settings
    assert settings["model"] == f"a|b@{server.url.removeprefix('http://')}"
    signature = Signature.of("OVERLAP", **settings)
    assert f"|model:a%7Cb@{server.url.removeprefix('http://')}|" in str(signature)


@pytest.mark.parametrize(
    ("status", "advice"), [("401", "check the key"), ("404", "--base-url"), ("400", "answered 400")]
)
def test_what_will_not_pass_is_not_tried_again(server, pauses, status, advice):
    server.usual = status
    with pytest.raises(EndpointError, match=advice) as caught:
        ask(server, pauses)
    assert SECRET not in str(caught.value) and "***" in str(caught.value)
    assert len(server.requests) == 1


def test_nobody_there_is_one_line(server, pauses):
    with socket.create_server(("127.0.0.1", 0)) as soon_gone:
        url = f"http://127.0.0.1:{soon_gone.getsockname()[1]}/v1"
    with pytest.raises(EndpointError, match="cannot be reached"):
        list(Llm("tiny", url, patience=Patience(retries=1)).write(EVENTS[:1]))


def test_the_endpoint_may_say_how_long_to_wait(server, pauses, caplog):
    server.script, server.retry_after = ["429", "429"], "7"
    ask(server, pauses)
    assert pauses == [7.0, 7.0] and not caplog.messages
    server.script, server.retry_after = ["429"], "120"
    ask(server, pauses)
    assert pauses[-1] == 120.0
    (line,) = caplog.messages
    assert line.startswith("127.0.0.1") and "answered 429" in line
    assert line.endswith("; waiting 120 s, as the endpoint asks") and SECRET not in line


@pytest.mark.parametrize(("asked", "shown"), [("301", "301"), ("99999", "99999"), ("9" * 400, "")])
def test_an_endpoint_that_asks_for_too_long_is_given_up_at_once(server, pauses, asked, shown):
    server.usual, server.retry_after = "429", asked
    with pytest.raises(EndpointError, match=rf"asks to wait {shown}.* \(limit 300") as told:
        ask(server, pauses)
    assert pauses == [] and len(server.requests) == 1 and "\n" not in str(told.value)


def test_no_key_is_an_error_before_anything_is_sent(server, monkeypatch):
    monkeypatch.setenv("COMMONGROUND_API_KEY", " ")
    with pytest.raises(InputError, match="COMMONGROUND_API_KEY or OPENAI_API_KEY"):
        Llm("tiny", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "another")
    assert list(Llm("tiny", server.url).write(EVENTS[:1]))
    assert server.keys == ["Bearer another"]


@pytest.mark.parametrize(
    "url", ["", "host/v1", "ftp://host", "http://", "http://[::1/v1", "http://h:x/v1"]
)
def test_an_address_that_is_none(server, url):
    with pytest.raises(InputError, match="--base-url must be an address"):
        Llm("tiny", url)


@pytest.mark.parametrize("url", ["https://me:pass@host/v1", "https://host/v1?key=abc"])
def test_a_key_in_the_address_is_refused(server, url):
    with pytest.raises(InputError, match="must hold no key"):
        Llm("tiny", url)


def test_the_key_is_in_no_log_and_no_signature(server, caplog, pauses):
    server.script = ["500"]
    with caplog.at_level(logging.DEBUG):
        writer = Llm("tiny", server.url)
        assert list(writer.write(EVENTS))
    assert SECRET not in caplog.text
    assert SECRET not in str(writer.settings) and SECRET not in repr(vars(writer))


def test_as_many_requests_at_once_as_allowed(server):
    server.gate = threading.Barrier(3)
    written = dict(Llm("tiny", server.url, concurrency=3).write(EVENTS * 2))
    assert sorted(written) == list(range(6))
    assert server.most_at_once == 3


def test_one_at_a_time_keeps_the_order(server):
    server.answer = lambda messages: messages[-1]["content"][-30:]
    writer = Llm("tiny", server.url, concurrency=1, level=1)
    numbers = [number for number, _ in writer.write(EVENTS)]
    assert numbers == [0, 1, 2] and server.most_at_once == 1


def test_what_is_done_comes_before_the_error_and_nothing_new_is_begun(server, pauses):
    server.script = ["fine", "401"]
    server.usual = "fine"
    found = []
    writer = Llm("tiny", server.url, concurrency=1)
    with pytest.raises(EndpointError, match="401"):
        for number, _ in writer.write(EVENTS):
            found.append(number)
    assert found == [0] and len(server.requests) == 2


def test_who_stops_asking_does_not_wait_for_what_is_under_way(server):
    before = set(threading.enumerate())
    server.script = ["fine", "hang", "hang"]
    answers = Llm("tiny", server.url, concurrency=3).write(EVENTS)
    next(answers)
    answers.close()
    assert all(one.daemon for one in set(threading.enumerate()) - before)


def test_whoever_stops_asking_does_not_wait_for_the_next_attempt(server):
    server.script, server.retry_after = ["429"], "200"
    answers = Llm("tiny", server.url, concurrency=2).write(EVENTS[:2])
    next(answers)
    answers.close()
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"timeout": 0.0},
        {"timeout": -1.0},
        {"timeout": float("nan")},
        {"timeout": 1e300},
        {"retries": -1},
    ],
)
def test_patience_has_its_bounds(wrong):
    with pytest.raises(InputError):
        Patience(**wrong)


@pytest.mark.parametrize("wrong", [{"level": 0}, {"level": 6}, {"concurrency": 0}])
def test_settings_that_there_are_not(server, wrong):
    with pytest.raises(InputError):
        Llm("tiny", server.url, **wrong)
