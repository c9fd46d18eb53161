"""Makes the calls of the bench with fastmcp, and converts every tool as google-genai does for its models. Input and output are one JSON value each."""

import asyncio
import json
import re
import sys

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from google.genai._mcp_utils import mcp_to_gemini_tool


async def call(client, name, args):
    try:
        result = await client.call_tool(name, args, raise_on_error=False)
        return "".join(getattr(block, "text", "") for block in result.content)
    except Exception as error:
        return repr(error)


def failures(tools):
    for tool in tools:
        try:
            mcp_to_gemini_tool(tool)
        except Exception as error:
            yield f"{tool.name}: {error!r}"


async def main():
    given = json.load(sys.stdin)
    transport = StreamableHttpTransport(given["url"], headers={"Authorization": f"Bearer {given['key']}"})
    async with Client(transport) as client:
        tools = await client.list_tools()
        names = [tool.name for tool in tools]
        results = {}
        for step in given["steps"]:
            name = next((name for name in names if re.search(step["pattern"], name)), None)
            if name is not None:
                results[step["cell"]] = await call(client, name, step["args"])
        prompts = [await client.get_prompt(one["name"], {one["argument"]: one["value"]}) for one in given["prompts"]]
        text = "\n".join([tool.model_dump_json() for tool in tools] + [prompt.messages[0].content.text for prompt in prompts])
    failed = list(failures(tools))
    print(json.dumps({"tools": names, "results": results, "text": text, "failed": failed}))


asyncio.run(main())
