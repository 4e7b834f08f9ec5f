import {homedir} from 'node:os';
import {join} from 'node:path';
import {propose} from '../commands/hooks/change.ts';
import {proposalLines} from '../commands/hooks/show-change.ts';
import {strings} from '../commands/hooks/strings.ts';
import {clients} from '../hook-setup/clients.ts';
import {wantedHandlers} from '../hook-setup/hook-command.ts';
import {findTurnedOff} from '../hook-setup/off-switches.ts';
import {ourEntries} from '../hook-setup/plan-change.ts';
import {findHook, findNode} from '../hook-setup/program-paths.ts';
import {readSettingsFile, SettingsFileError} from '../hook-setup/read-settings.ts';
import {isFound, type Machine, type SettingsFile, settingsFiles} from '../hook-setup/settings-files.ts';
import {writeSettingsFile} from '../hook-setup/write-settings.ts';
import type {HookLine, HookPlan} from '../state/hook-setup.ts';

const {change: text} = strings;

function thisMachine(): Machine {
	return {home: homedir(), cwd: process.cwd(), env: process.env};
}

/** Whether a client has been used here, but no client's settings have one of our hooks. */
export function areHooksMissing(machine = thisMachine()): boolean {
	const found = clients.filter(client => isFound(client, machine));
	const files = found.flatMap(client => settingsFiles(client, 'user', machine));
	return found.length > 0 && !files.some(hasOurs);
}

/** True also if the file can't be read: it may have them. */
function hasOurs({path, isBare}: SettingsFile): boolean {
	try {
		return ourEntries(readSettingsFile(path).text, isBare).length > 0;
	} catch {
		return true;
	}
}

/** Plans what `quarterdeck hooks install` or `uninstall` would change. */
export function planHooks(what: 'install' | 'uninstall', stateFolder: string, now: () => number): HookPlan {
	const machine = thisMachine();
	const program = {
		node: findNode(process.execPath, process.env.PATH),
		hook: findHook(process.argv[1] ?? ''),
	};
	const included = what === 'install' ? clients.filter(client => isFound(client, machine)) : clients;
	const proposals = included
		.flatMap(client => settingsFiles(client, 'user', machine))
		.map(file =>
			propose(file, what === 'uninstall' || file.isShadowed ? [] : wantedHandlers(file.client, program)),
		);
	const changes = proposals.filter(({plan}) => plan.kind === 'change');
	const lines = proposals.flatMap((proposal): HookLine[] =>
		proposalLines(proposal).map((line, index) => ({
			kind: index === 0 ? 'file' : 'difference',
			text: line,
		})),
	);
	const titles = clients.map(({title}) => title);
	return {
		lines: included.length > 0 ? lines : [{kind: 'note', text: text.noneFound(titles.join(', '))}],
		changes: changes.length,
		apply() {
			const folder = join(stateFolder, 'settings-backups');
			const written = changes.map(({file: {client}, read, plan}) => {
				if (plan.kind !== 'change' || !read) return {text: ''};
				try {
					const backup = writeSettingsFile(read, plan.after, {folder, now: now()});
					return {text: (plan.after === undefined ? text.removed : text.wrote)(read.file, backup), client};
				} catch (error) {
					if (!(error instanceof SettingsFileError)) throw error;
					return {text: error.message};
				}
			});
			const changed = new Set(written.flatMap(({client}) => client ?? []));
			const notes = [...changed].flatMap(client => [
				...findTurnedOff(client, machine).map(({file, name}) => strings.turnedOff(client.title, name, file)),
				...(client.afterChange === undefined ? [] : [text.afterwards(client.title, client.afterChange)]),
			]);
			return [...written.map(one => one.text), ...notes].map(line => ({kind: 'note', text: line}));
		},
	};
}
