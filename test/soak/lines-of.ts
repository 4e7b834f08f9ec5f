import type {Readable} from 'node:stream';

/** Calls back for each whole line. What a killed process left of its last one is no line. */
export function linesOf(stream: Readable, onLine: (line: string) => void): void {
	let rest = '';
	stream.setEncoding('utf8').on('data', (part: string) => {
		const lines = (rest + part).split('\n');
		rest = lines.pop() ?? '';
		for (const line of lines) onLine(line);
	});
}
