"""Events and summaries of two systems, for the tests of runs."""

EVENTS = [
    {
        "id": "storm",
        "references": ["A storm cut the power on Friday.", "On Friday a storm left us dark."],
    },
    {"id": "fair", "references": ["The fair opened with 300 stalls. Rain stayed away."]},
    {
        "id": "ferry",
        "references": ["The ferry ran aground. Nobody was hurt.", "", "A ferry is stuck on sand."],
    },
    {"id": "vote", "references": ["The council voted for the new school by nine to two."]},
]
PREDICTIONS = [
    {"id": "storm", "system": "first", "summary": "The power failed on Friday in a storm."},
    {"id": "fair", "system": "first", "summary": "The fair opened. It has 300 stalls."},
    {"id": "storm", "system": "second", "summary": "Friday was windy."},
    {"id": "ferry", "system": "first", "summary": "A ferry ran onto the sand.\nNo one was hurt."},
    {"id": "vote", "system": "first", "summary": "The school will be built, nine of eleven said."},
    {"id": "vote", "system": "second", "summary": ""},
    {"id": "fair", "system": "second", "summary": "Rain kept away from the fair and its stalls."},
]
