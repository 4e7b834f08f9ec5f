import {cleanLine} from '../text/clean.ts';
import {jsonText} from '../text/json-text.ts';
import {lineText} from '../text/line.ts';
import type {Safe} from '../text/safe.ts';
import {type Column, tableLines} from '../text/table.ts';

/** Where a command's words go: data to stdout, all else to stderr. */
export type Output = {
	readonly isJson: boolean;
	/** One JSON value on a line of its own. */
	json(value: unknown): void;
	line(text: Safe): void;
	table(columns: readonly Column[], rows: readonly (readonly Safe[])[]): void;
	/** One line to the user, on stderr; foreign words are cleaned here. */
	note(text: string): void;
};

export type OutputStreams = {
	readonly stdout: {write(text: string): unknown};
	readonly stderr: {write(text: string): unknown};
};

const longestNote = 2048;

export function createOutput(isJson: boolean, {stdout, stderr}: OutputStreams): Output {
	return {
		isJson,
		json: value => void stdout.write(`${jsonText(value)}\n`),
		line: text => void stdout.write(`${text}\n`),
		table(columns, rows) {
			const cells = rows.map(row => row.map(text => ({text})));
			for (const line of tableLines(columns, cells)) stdout.write(`${lineText(line)}\n`);
		},
		note: text => void stderr.write(`quarterdeck: ${cleanLine(text, longestNote)}\n`),
	};
}
