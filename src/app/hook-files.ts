import {homedir} from 'node:os';
import {join} from 'node:path';
import {strings as doctorStrings} from '../commands/doctor/strings.ts';
import {
	defaultAnswerSeconds as answerSeconds,
	followUps,
	proposalLines,
	propose,
} from '../commands/hooks/change.ts';
import {strings} from '../commands/hooks/strings.ts';
import {clients, isFound, type Machine, settingsFiles} from '../hook-setup/clients.ts';
import {wantedHandlers} from '../hook-setup/hook-command.ts';
import {checkInstalledHooks, chosenOptions, hasOurs, removeUnusedLauncher} from '../hook-setup/installed.ts';
import {findHook, findNode, isCurrent, launcherFile, writeLauncher} from '../hook-setup/launcher.ts';
import {SettingsFileError, writeSettingsFile} from '../hook-setup/settings-file.ts';
import type {HookChange, HookHint, HookLine, HookPlan} from '../state/hook-setup.ts';

const {change: text} = strings;
const {hooks: doctor} = doctorStrings;

function thisMachine(): Machine {
	return {home: homedir(), cwd: process.cwd(), env: process.env};
}

/**
 * Whether a client has been used here, but no client's settings have one of our hooks; and why those that have report
 * nothing.
 */
export function lookForHooks(machine = thisMachine()): {isMissing: boolean; problem?: HookHint['problem']} {
	const found = clients.filter(client => isFound(client, machine));
	const files = found.flatMap(client => settingsFiles(client, 'user', machine));
	const isMissing = found.length > 0 && !files.some(hasOurs);
	const [first] = checkInstalledHooks(machine).problems.filter(({problem}) => problem === undefined);
	if (!first) return {isMissing};
	const {title, path, gone, isSkipped} = first;
	const what = isSkipped ? doctor.skipped(title, path) : doctor.gone(title, gone);
	return {isMissing, problem: {what, isInSettings: isSkipped}};
}

/** Plans what `quarterdeck hooks install` or `uninstall` would change. */
export function planHooks(what: HookChange, stateFolder: string, now: () => number): HookPlan {
	const machine = thisMachine();
	const isInstall = what !== 'uninstall';
	const folder = join(stateFolder, 'settings-backups');
	const program = {
		launcher: launcherFile(stateFolder),
		node: findNode(process.execPath, process.env.PATH),
		hook: findHook(process.argv[1] ?? ''),
	};
	const included = isInstall ? clients.filter(client => isFound(client, machine)) : clients;
	const proposals = included
		.flatMap(client => settingsFiles(client, 'user', machine))
		.map(file => {
			const chosen = chosenOptions(file);
			const options =
				what === 'answer' ? {...chosen, waitSeconds: chosen.waitSeconds ?? answerSeconds} : chosen;
			const isWanted = isInstall && !file.isShadowed;
			return propose(file, isWanted ? wantedHandlers(file.client, program.launcher, options) : [], folder);
		});
	const changes = proposals.filter(({plan}) => plan.kind === 'change');
	const needsLauncher =
		isInstall && proposals.some(({plan}) => plan.kind !== 'refused') && !isCurrent(program);
	const lines = proposals.flatMap((proposal): HookLine[] =>
		proposalLines(proposal).map((line, index) => ({
			kind: index === 0 ? 'file' : 'difference',
			text: line,
		})),
	);
	if (needsLauncher) lines.push({kind: 'file', text: text.launcher(program.launcher)});
	const titles = clients.map(({title}) => title);
	return {
		lines: included.length > 0 ? lines : [{kind: 'note', text: text.noneFound(titles.join(', '))}],
		changes: changes.length + (needsLauncher ? 1 : 0),
		apply() {
			// The settings never name a launcher that isn't there.
			if (needsLauncher) writeLauncher(program);
			const written = changes.map(({file: {client}, read, plan}) => {
				if (plan.kind !== 'change' || !read) return {text: ''};
				try {
					const backup = writeSettingsFile(read, plan.after, {folder, now: now(), isInstall});
					return {text: (plan.after === undefined ? text.removed : text.wrote)(read.file, backup), client};
				} catch (error) {
					if (!(error instanceof SettingsFileError)) throw error;
					return {text: error.message};
				}
			});
			if (!isInstall) removeUnusedLauncher(program.launcher, machine);
			const changed = new Set(written.flatMap(({client}) => client ?? []));
			const notes = followUps(changed, machine);
			const effect = isInstall ? [text.takesEffect] : [];
			return [...written.map(one => one.text), ...effect, ...notes].map(line => ({kind: 'note', text: line}));
		},
	};
}
