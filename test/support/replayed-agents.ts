import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished, vi} from 'vitest';
import {temporaryFolder} from './local-service.ts';

const fixtures = new URL('../unit/local/agents/fixtures/', import.meta.url).pathname;

/** Puts clients on PATH that play recordings, one per start, in order. */
export function replayAgents(recordings: Readonly<Record<string, readonly string[]>>) {
	const bin = temporaryFolder();
	for (const [client, names] of Object.entries(recordings)) {
		const folder = join(bin, `${client}-recordings`);
		mkdirSync(folder);
		for (const [index, name] of names.entries())
			copyFileSync(join(fixtures, `${name}.jsonl`), join(folder, `${index}.jsonl`));
		const script = `exec '${process.execPath}' '${join(fixtures, 'replay.ts')}' '${folder}' "$@"`;
		addClient(bin, client, script);
	}
	addToPath(bin);
	return {
		/** Process id and arguments of each start of a client. */
		starts: (client: string) =>
			readFileSync(join(bin, `${client}-recordings`, 'args'), 'utf8')
				.trim()
				.split('\n')
				.map(line => JSON.parse(line) as {readonly pid: number; readonly args: readonly string[]}),
	};
}

/** Puts a client on PATH that is a shell script. */
export function scriptAgent(client: string, script: string): void {
	const bin = temporaryFolder();
	addClient(bin, client, script);
	addToPath(bin);
}

/** A client of Claude Code's protocol that works for ever, unless it is told to continue or to finish. */
export function addTirelessClient(): void {
	const say = (text: string) =>
		`printf '{"type":"assistant","message":{"content":[{"type":"text","text":"%s"}]}}\\n' "${text}"`;
	scriptAgent(
		'claude',
		`case "$*" in *--resume=its-own-id*) how=resumed;; *) how=fresh;; esac
read line; id=$(printf %s "$line" | sed 's/.*"request_id":"\\([^"]*\\)".*/\\1/')
printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s"}}\\n' "$id"
while read line; do
printf '{"type":"system","subtype":"init","session_id":"its-own-id"}\\n'
case "$line" in
*'"continue"'*|*'"finish"'*) ${say('done, $how')}; printf '{"type":"result","subtype":"success","is_error":false}\\n';;
*'"user"'*) ${say('at work')};;
esac
done`,
	);
}

function addClient(bin: string, client: string, script: string): void {
	writeFileSync(join(bin, client), `#!/bin/sh\n${script}\n`, {mode: 0o755});
}

function addToPath(bin: string): void {
	vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
	onTestFinished(() => {
		vi.unstubAllEnvs();
	});
}
