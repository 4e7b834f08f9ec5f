import {structuredPatch} from 'diff';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Output} from '../output/output.ts';
import type {Proposal, Written} from './change.ts';
import {strings} from './strings.ts';

const {change: text} = strings;
/** Settings may be on one long line: allow enough to show the change in it. */
const maxLineLength = 16 * 1024;

export function showChange(output: Output, proposal: Proposal): void {
	for (const line of proposalLines(proposal)) output.line(cleanLine(line, maxLineLength));
}

/** A heading and the diff under it; no lines for a file that has no hook of ours and gets none. */
export function proposalLines(proposal: Proposal): string[] {
	const {file, plan} = proposal;
	if (plan.kind === 'same' && (file.isShadowed || proposal.read?.text === undefined)) return [];
	return [text.file(file.client.title, file.path, changeText(proposal)), ...difference(proposal)];
}

export function changeJson(proposal: Proposal, {isWritten, backup}: Omit<Written, 'proposal'>): unknown {
	const {file, plan} = proposal;
	return {
		client: file.client.name,
		scope: file.scope,
		file: file.path,
		change: plan.kind,
		...(plan.kind === 'change' && {
			added: plan.added,
			upgraded: plan.upgraded,
			removed: plan.removed,
			difference: difference(proposal),
		}),
		...(plan.kind === 'refused' && {reason: plan.reason}),
		written: isWritten,
		backup,
	};
}

function changeText({plan}: Proposal): string {
	if (plan.kind === 'same') return text.nothing;
	if (plan.kind === 'refused') return text.refused(plan.reason);
	const parts = [
		[text.add, plan.added],
		[text.upgrade, plan.upgraded],
		[text.remove, plan.removed],
	] as const;
	return parts
		.flatMap(([sentence, events]) => (events.length > 0 ? [sentence(events.join(', '))] : []))
		.join('; ');
}

/** Settings contain keys: outside our own lines, values with secret-looking names are masked. */
function difference({plan, read}: Proposal): string[] {
	if (plan.kind !== 'change') return [];
	return unifiedDiff(read?.text, plan.after).map(withoutSecrets);
}

function withoutSecrets(line: string): string {
	return line.replace(
		/("[^"\\]*(?:key|token|secret|passw|credential|auth)[^"\\]*"\s*:\s*)"(?:[^"\\]|\\.)*"/gi,
		'$1"***"',
	);
}

/** The lines of a unified diff with three lines of context. A missing text counts as empty. */
export function unifiedDiff(before = '', after = ''): string[] {
	return structuredPatch('', '', before, after, '', '', {context: 3}).hunks.flatMap(hunk => [
		`@@ -${rangeOf(hunk.oldStart, hunk.oldLines)} +${rangeOf(hunk.newStart, hunk.newLines)} @@`,
		...hunk.lines.map(line => line.replace(/\r$/, '')),
	]);
}

/** In a unified diff, an empty range starts one line earlier. */
function rangeOf(start: number, lines: number): string {
	return `${lines === 0 ? start - 1 : start},${lines}`;
}
