import {randomUUID} from 'node:crypto';
import {closeSync, openSync, writeSync} from 'node:fs';

/** Lines as Claude Code writes them to a session's transcript. */
export type LineFields = {readonly [key: string]: unknown};

const from = Date.UTC(2026, 10, 1);
let written = 0;

function line(type: string, fields: LineFields): string {
	const timestamp = new Date(from + written++ * 1000).toISOString();
	return `${JSON.stringify({parentUuid: null, isSidechain: false, type, uuid: randomUUID(), timestamp, ...fields})}\n`;
}

export function userLine(content: unknown, fields: LineFields = {}): string {
	return line('user', {message: {role: 'user', content}, ...fields});
}

export function agentLine(content: string | readonly LineFields[], fields: LineFields = {}): string {
	const items = typeof content === 'string' ? [{type: 'text', text: content}] : content;
	return line('assistant', {message: {role: 'assistant', model: 'mock', content: items}, ...fields});
}

/** A call and its result. */
export function toolLines(id: string, name: string, input: LineFields, result: unknown): string {
	return (
		agentLine([{type: 'tool_use', id, name, input}]) +
		userLine([{type: 'tool_result', tool_use_id: id, content: result}], {toolUseResult: {stdout: result}})
	);
}

/** What a client notes besides messages. */
export function noteLine(type = 'last-prompt', fields: LineFields = {}): string {
	return `${JSON.stringify({type, sessionId: 'id', ...fields})}\n`;
}

/**
 * Writes a transcript of at least so many bytes, as a long session of real work leaves it: questions, thoughts, small
 * and large outputs, edits, an image now and then. Returns the number of turns; turn `n` says `turn-n`.
 */
export function writeLargeTranscript(path: string, bytes: number): number {
	const file = openSync(path, 'w');
	const output = Array.from(
		{length: 120},
		(_, row) => `${row} src/module-${row % 9}.ts: some output of a test`,
	).join('\n');
	const image = 'A'.repeat(200_000);
	let [size, turn] = [0, 0];
	try {
		while (size < bytes) {
			const id = `toolu_${++turn}`;
			const source = {type: 'base64', media_type: 'image/png', data: image};
			const text =
				userLine(`turn-${turn}: please look at module ${turn % 9}`) +
				agentLine([
					{
						type: 'thinking',
						thinking: `What module ${turn % 9} does. `.repeat(20),
						signature: 'x'.repeat(300),
					},
				]) +
				toolLines(`${id}_a`, 'Bash', {command: `npm test -- ${turn}`}, output) +
				toolLines(
					`${id}_b`,
					'Edit',
					{file_path: 'a.ts', old_string: 'const a = 1;', new_string: `const a = ${turn};`},
					'ok',
				) +
				(turn % 40 === 0
					? toolLines(`${id}_c`, 'Read', {file_path: 'a.png'}, [{type: 'image', source}])
					: '') +
				noteLine('file-history-snapshot', {snapshot: {files: output.slice(0, 1500)}}) +
				agentLine(`Done with ${turn}. **It works.**\n\n- one\n- two\n`) +
				noteLine();
			size += writeSync(file, text);
		}
	} finally {
		closeSync(file);
	}
	return turn;
}
