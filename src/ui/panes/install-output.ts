import type {ProvisioningStep} from '../../domain/computers/computer.ts';
import {installStep, stepState} from '../../domain/computers/provisioning.ts';
import {maskText} from '../../domain/masking.ts';
import type {ComputerItem} from '../../state/computers/computer-items.ts';
import type {StreamEntry} from '../../state/stream.ts';
import {cleanText} from '../../text/cells/clean.ts';
import {cutEnd} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {terminalText} from '../../text/cells/terminal-lines.ts';
import {withoutColors} from '../../text/markdown/ansi-colors.ts';
import {messageParts} from '../../text/messages/message-parts.ts';

/** The install whose last output to show: while it runs, or when it failed without an error text. */
export function installToShow({known}: ComputerItem): ProvisioningStep | undefined {
	const step = known.computer && installStep(known.computer);
	if (!step?.installSessionId) return undefined;
	const {state} = stepState(step);
	const hasOutput = state === 'running' || ((state === 'failed' || state === 'canceled') && !step.error);
	return hasOutput ? step : undefined;
}

/**
 * The last `rows` lines of text in a stream since a time (Unix ms), raw: an earlier try is in the same session. Reads only
 * as many messages as needed.
 */
export function lastLines(entries: readonly StreamEntry[], rows: number, since = 0): string[] {
	let lines: string[] = [];
	for (const entry of entries.toReversed()) {
		if (lines.length >= rows) break;
		if (entry.kind !== 'message' || (entry.message.createdAt ?? since) < since) continue;
		const text = messageParts(entry.message)
			.map(part => ('text' in part ? part.text : ''))
			.join('\n');
		lines = [
			...terminalText(text)
				.split('\n')
				.filter(line => line.trim() !== ''),
			...lines,
		];
	}
	return lines.slice(-rows);
}

/** Maximum length of a drawn output line, in UTF-16 units; the rest would be cut anyway. */
const maxLineLength = 2_000;

/** The lines without secrets. */
export function outputLines(lines: readonly string[], width: number): Line[] {
	if (lines.length === 0) return [];
	const room = Math.max(10, width - 5);
	return [
		[span(safe` Install output`, 'heading')],
		...maskText(lines.map(line => line.slice(0, maxLineLength)).join('\n'))
			.split('\n')
			.map(
				(line): Line => [
					span(safe`   │ `, 'border'),
					span(cutEnd(withoutColors(cleanText(line)), room), 'dim'),
				],
			),
		[],
	];
}
