import {join} from 'node:path';
import {structuredPatch} from 'diff';
import {stateFolder} from '../../config/folders.ts';
import {type Client, clients, type Machine, type SettingsFile} from '../../hook-setup/clients.ts';
import {wantedHandlers} from '../../hook-setup/hook-command.ts';
import {findTurnedOff, removeUnusedLauncher} from '../../hook-setup/installed.ts';
import {isCurrent, launcherFile, type Program, writeLauncher} from '../../hook-setup/launcher.ts';
import {type Plan, planChange, type Wanted} from '../../hook-setup/plan-change.ts';
import {
	type ReadSettings,
	readInstalled,
	readSettingsFile,
	SettingsFileError,
	writeSettingsFile,
} from '../../hook-setup/settings-file.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {confirm} from '../cli/confirm.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, exitCodes, UsageError} from '../cli/errors.ts';
import {cliStrings} from '../cli/strings.ts';
import type {Output} from '../output/output.ts';
import {chosenFiles, filesToInstall, thisMachine, thisProgram} from './chosen-files.ts';
import {strings} from './strings.ts';

const {change: text} = strings;

/** How long a permission prompt waits for an answer here, s, unless the user says otherwise. */
export const defaultAnswerSeconds = 600;

/** The planned change of one file. `read` is absent if the file can't be read. */
export type Proposal = {
	readonly file: SettingsFile;
	readonly read?: ReadSettings;
	readonly plan: Plan;
};

/** Registers the hook with each client, in the one file per scope that the client reads. */
export async function install(context: CommandContext): Promise<ExitCode> {
	const program = thisProgram(context);
	const files = filesToInstall(context);
	const waitSeconds = answerSeconds(context, files);
	const options = {
		hasLastMessage: context.flags.is('last-message'),
		waitSeconds,
	};
	const wanted = (file: SettingsFile) =>
		file.isShadowed ? [] : wantedHandlers(file.client, program.launcher, options);
	const consent = waitSeconds === undefined ? [] : text.consent(waitSeconds / 60);
	return change(context, files, wanted, {program, consent});
}

/** How long a permission prompt waits for an answer here, s; undefined unless asked for. Throws `UsageError`. */
function answerSeconds({flags}: CommandContext, files: readonly SettingsFile[]): number | undefined {
	const minutes = flags.count('answer-minutes');
	if (!flags.is('answer')) {
		if (minutes !== undefined) throw new UsageError(text.needsAnswer);
		return undefined;
	}
	if (!files.some(({client}) => client.answerEvent !== undefined)) {
		const titles = clients.flatMap(({answerEvent, title}) => (answerEvent === undefined ? [] : [title]));
		throw new UsageError(text.noAnswers(titles.join(', ')));
	}
	return minutes === undefined ? defaultAnswerSeconds : 60 * minutes;
}

/** Removes the hook from every file of the scope, including files that the client currently ignores. */
export async function uninstall(context: CommandContext): Promise<ExitCode> {
	return change(context, chosenFiles(context), () => [], {consent: []});
}

/**
 * Shows the changes and makes them once confirmed. `program`: what is installed; absent for an uninstall. `consent`: lines
 * that the user has to agree to first.
 */
async function change(
	context: CommandContext,
	files: readonly SettingsFile[],
	wanted: (file: SettingsFile) => readonly Wanted[],
	{program, consent}: {readonly program?: Program; readonly consent: readonly string[]},
): Promise<ExitCode> {
	const {flags, output} = context;
	const isDryRun = flags.is('dry-run');
	if (output.isJson && !isDryRun && !flags.is('yes')) {
		throw new UsageError(cliStrings.confirm.json(cliStrings.confirm.addYesOrDryRun));
	}
	const proposals = files.map(file => propose(file, wanted(file), backupFolder(context)));
	const changes = proposals.filter(({plan}) => plan.kind === 'change');
	if (!output.isJson) for (const proposal of proposals) showChange(output, proposal);
	const isPossible = proposals.some(({plan}) => plan.kind !== 'refused');
	if (!program && !output.isJson && proposals.every(proposal => proposalLines(proposal).length === 0))
		output.text(cleanLine(text.noneInstalled));
	const needsLauncher = program && isPossible && !isCurrent(program);
	if (needsLauncher && !output.isJson) output.text(cleanLine(text.launcher(program.launcher)));
	if (changes.length > 0) for (const line of consent) output.note(line);
	const question = text.question(changes.length, consent.length > 0);
	const isConfirmed =
		!isDryRun && (changes.length === 0 || flags.is('yes') || (await confirm(context, question)));
	// The settings never name a launcher that isn't there.
	if (isConfirmed && needsLauncher) {
		writeLauncher(program);
		output.note(text.wrote(program.launcher, undefined));
	}
	const written = proposals.map(proposal =>
		isConfirmed ? write(context, proposal, program !== undefined) : {proposal, isWritten: false},
	);
	if (output.isJson) for (const {proposal, ...done} of written) output.json(changeJson(proposal, done));
	if (isConfirmed && !program) removeLauncher(context);
	if (program && written.some(({isWritten}) => isWritten)) output.note(text.takesEffect);
	const changed = written.flatMap(({isWritten, proposal}) => (isWritten ? proposal.file.client : []));
	for (const line of followUps(new Set(changed), thisMachine(context))) output.note(line);
	const isRefused = written.some(({proposal}) => proposal.plan.kind === 'refused');
	const isDeclined = !isDryRun && !isConfirmed;
	if (isDeclined) output.note(text.declined);
	return isRefused || isDeclined ? exitCodes.refused : exitCodes.done;
}

function removeLauncher(context: CommandContext): void {
	const {input, output} = context;
	const launcher = launcherFile(stateFolder(input.env, input.home));
	if (removeUnusedLauncher(launcher, thisMachine(context))) output.note(text.removed(launcher, undefined));
}

/** Plans the change of one file. `backups`: the folder of the backups. */
export function propose(file: SettingsFile, wanted: readonly Wanted[], backups: string): Proposal {
	try {
		const read = readSettingsFile(file.path);
		const installed = readInstalled(read, backups);
		return {file, read, plan: planChange({before: read.text, wanted, isBare: file.isBare, installed})};
	} catch (error) {
		if (!(error instanceof SettingsFileError)) throw error;
		return {file, plan: {kind: 'refused', reason: error.message}};
	}
}

/** The result for one proposal; a file that can't be written counts as refused. */
export type Written = {
	readonly proposal: Proposal;
	readonly isWritten: boolean;
	readonly backup?: string;
};

export function backupFolder({input}: CommandContext): string {
	return join(stateFolder(input.env, input.home), 'settings-backups');
}

function write(context: CommandContext, proposal: Proposal, isInstall: boolean): Written {
	const {output, clock} = context;
	const {plan, read} = proposal;
	if (plan.kind !== 'change' || !read) return {proposal, isWritten: false};
	try {
		const backups = {folder: backupFolder(context), now: clock.now(), isInstall};
		const backup = writeSettingsFile(read, plan.after, backups);
		output.note((plan.after === undefined ? text.removed : text.wrote)(read.file, backup));
		return {proposal, isWritten: true, backup};
	} catch (error) {
		if (!(error instanceof SettingsFileError)) throw error;
		output.note(error.message);
		return {proposal: {...proposal, plan: {kind: 'refused', reason: error.message}}, isWritten: false};
	}
}

/** What prevents the hooks of changed clients from working, and what the user still has to do. */
export function followUps(changed: ReadonlySet<Client>, machine: Machine): string[] {
	return [...changed].flatMap(client => [
		...findTurnedOff(client, machine).map(({file, name}) => strings.turnedOff(client.title, name, file)),
		...(client.afterChange === undefined ? [] : [text.afterwards(client.title, client.afterChange)]),
	]);
}

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
