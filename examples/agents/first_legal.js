// An agent in JavaScript: passes where it may, otherwise takes the first legal action.
//
//     python evaluate.py "exec:node examples/agents/first_legal.js" random --deals 500
//
// A message is a line of JSON on stdin, its answer a line of JSON on stdout (docs/agents-protocol.md).

const lines = require("readline").createInterface({ input: process.stdin });

function choose(decision) {
  return decision.legal.includes("pass") ? "pass" : decision.legal[0];
}

lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") console.log(JSON.stringify({ protocol: 1 }));
  if (message.type === "decide") console.log(JSON.stringify({ id: message.id, actions: message.decisions.map(choose) }));
  if (message.type === "end") lines.close();
});
