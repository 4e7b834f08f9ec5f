import {maskSecrets} from '../../domain/masking.ts';
import {ownEntry} from '../../domain/objects.ts';
import {asPatch, type WorkingDiff} from '../../domain/sessions/work-folder.ts';
import {cleanText} from '../../text/cells/clean.ts';
import type {CommandRun} from '../cli/context.ts';
import {changing, exitCodes} from '../cli/errors.ts';
import {connect} from '../cli/registry.ts';
import type {Output} from '../output/output.ts';
import {strings} from './strings.ts';

/** Commands about the folders that sessions of the embedded service work in. */
export const workFolders = {
	async diff(context) {
		const {args, flags, output, signal} = context;
		const {service} = await connect(context);
		const isSinceBase = flags.is('base');
		const diff = await service.workFolders.diff(args[0] ?? '', {signal, isSinceBase});
		if (output.isJson) output.json(maskSecrets(diff));
		else printDiff(diff, output);
		return diff.problem === undefined ? exitCodes.done : exitCodes.refused;
	},

	async 'remove-worktree'(context) {
		const {args, flags, output, signal} = context;
		const {service} = await connect(context);
		const isForced = flags.is('force');
		const removal = await changing(strings.mayBeRemoved, () =>
			service.workFolders.removeWorktree(args[0] ?? '', {isForced}, {signal}),
		);
		const {isRemoved, branch = '', isBranchKept, changes = 0, commits = 0} = removal;
		if (output.isJson) output.json(removal);
		else if (isRemoved) output.note(strings.worktreeRemoved(branch, isBranchKept === true));
		else output.note(strings.worktreeKept(branch, changes, commits));
		return isRemoved ? exitCodes.done : exitCodes.refused;
	},
} satisfies Record<string, CommandRun>;

function printDiff({problem, detail, files = [], leftOut}: WorkingDiff, output: Output): void {
	if (problem !== undefined) {
		const words = ownEntry(strings.noDiff, problem) ?? strings.noDiff.failed;
		output.note(detail === undefined ? words : `${words}: ${detail}`);
	}
	for (const file of files) {
		if (file.isBinary) output.note(strings.binaryChanged(file.path));
		else {
			const patch = asPatch([file]).replace(/\n$/, '');
			output.line(cleanText(patch, {maxLength: Number.POSITIVE_INFINITY, isDrawn: false}));
		}
		if (file.isCut) output.note(strings.diffCut(file.path));
	}
	if (leftOut) output.note(strings.filesLeftOut(leftOut));
}
