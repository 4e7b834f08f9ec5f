import {expect, test} from 'vitest';
import {startTestService} from '../../../support/local-service.ts';
import {scriptAgent} from '../../../support/replayed-agents.ts';
import {createSession, whenIdle} from '../../../support/sessions.ts';

/** A client that answers a message with one line of JSON, whose `DEEP` is nested as many levels. */
function deepClient(line: string, levels: number): void {
	const [before, after] = line.split('DEEP');
	scriptAgent(
		'claude',
		`read line; id=$(printf %s "$line" | sed 's/.*"request_id":"\\([^"]*\\)".*/\\1/')
printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s"}}\\n' "$id"
read line
printf %s '${before}'
head -c ${levels} /dev/zero | tr '\\0' '['
head -c ${levels} /dev/zero | tr '\\0' ']'
printf '%s\\n' '${after}'
printf '{"type":"result","subtype":"success","is_error":false}\\n'
cat > /dev/null`,
	);
}

test.each([
	[
		'a request',
		20_000,
		'{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","tool_name":"x","input":{"a":DEEP}}}',
	],
	[
		'a tool call',
		600,
		'{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":"x","input":{"a":DEEP}}]}}',
	],
])('%s that is nested %i levels deep ends its turn, and the session can be read', async (_, levels, line) => {
	deepClient(line, levels);
	const {service} = await startTestService({agent: 'claude'});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'hello'});
	await whenIdle(service, sessionId);
	const {items} = await service.messages.list(sessionId, {limit: 100});
	const texts = items.flatMap(({content = []}) => content.map(({text}) => text));
	expect(texts.toReversed()).toEqual(['hello', 'claude was ended: a message nested over 200 levels deep']);
});
