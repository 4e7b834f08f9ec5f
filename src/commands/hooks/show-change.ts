import {unifiedDiff} from '../../hook-setup/diff.ts';
import {cleanLine} from '../../text/clean.ts';
import {safe} from '../../text/safe.ts';
import type {Output} from '../output.ts';
import type {Proposal, Written} from './change.ts';

/** Settings may stand on one line: what changes in it is to be seen. */
const maxLineLength = 16 * 1024;

/** One heading, and the difference under it. A file of which nothing is ours and nothing will be is passed over. */
export function showChange(output: Output, proposal: Proposal): void {
	const {file, plan} = proposal;
	if (plan.kind === 'same' && (file.isShadowed || proposal.read?.text === undefined)) return;
	output.line(safe`${cleanLine(`${file.client.title}  ${file.path}: ${words(proposal)}`)}`);
	for (const line of difference(proposal)) output.line(cleanLine(line, maxLineLength));
}

/** One change as JSON; what was looked for and what was done. */
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
		...(backup !== undefined && {backup}),
	};
}

function words({plan}: Proposal): string {
	if (plan.kind === 'same') return 'nothing to change';
	if (plan.kind === 'refused') return `not changed: ${plan.reason}`;
	const parts = [
		['add', plan.added],
		['upgrade', plan.upgraded],
		['remove', plan.removed],
	] as const;
	return parts
		.flatMap(([verb, events]) => (events.length > 0 ? [`${verb} ${events.join(', ')}`] : []))
		.join('; ');
}

/** Settings hold keys: beside our own lines, values that are named like one are not shown. */
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
