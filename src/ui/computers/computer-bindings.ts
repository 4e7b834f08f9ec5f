import {retryInstall as runInstallAgain} from '../../actions/computers.ts';
import {copyText} from '../../actions/copy-text.ts';
import {connectionNeeds, connectMachine, logInToMachine} from '../../actions/machines.ts';
import {retryInstall} from '../../domain/computers/provisioning.ts';
import {formatFilter} from '../../domain/list-filter/filter.ts';
import {sessionsOn} from '../../state/sessions/session-counts.ts';
import {computerNames, shortId} from '../../state/sessions/session-items.ts';
import {withLeft} from '../../state/view/shown-item.ts';
import {targets} from '../../state/view/targets.ts';
import {
	filterOf,
	setView,
	type ViewStore,
	withComputers,
	withFilter,
	withFiltering,
	withoutFilter,
} from '../../state/view/view.ts';
import type {ComputersViewState} from '../../state/view/view-states.ts';
import {choosesColumns, openColumns} from '../dialogs/columns-dialog.tsx';
import {editComputerForm, newComputerForm} from '../dialogs/form/computer-forms.ts';
import {openForm} from '../dialogs/form/open-form.ts';
import {type BindingOf, bindingsIn, bindingsOf, type Enabled, type Now} from '../keys/binding.ts';
import {
	allOf,
	backTo,
	canCreate,
	hasComputer,
	hasService,
	installedOn,
	unlessEmpty,
} from '../keys/reasons.ts';
import {openSession} from '../open-session.ts';
import type {AppParts} from '../use-app.ts';
import {computersLayout} from './computers-now.ts';

const computerOf = ({parts, view}: Pick<Now, 'parts' | 'view'>) =>
	parts.stores.fleet.getState().computers.get(targets(view).computerId ?? '')?.computer;

/** Whether the dependency install of the computer, or of the session that shows its output, can be retried. */
export const canRetryInstall = (now: Now): Enabled => {
	const computer = installedOn(now) ?? computerOf(now);
	const retry = retryInstall(computer);
	return retry.isPossible || (computer ? retry.why : 'Not read yet: {refresh} asks the service');
};

/** Whether another machine can be connected again. */
const canConnect = (now: Now): Enabled => {
	const computer = computerOf(now);
	if (!computer?.host) return 'Only for machines that ssh or a container tool reaches';
	if (computer.unreachableSince === undefined) return 'This machine is connected';
	return (
		connectionNeeds(computer) !== 'changed-key' ||
		'The host key of the machine has changed: find out why, and settle it with ssh in a terminal'
	);
};

const connectHint = (now: Now): string => {
	const computer = computerOf(now);
	return computer && connectionNeeds(computer) === 'log-in' ? 'log in with ssh here' : 'connect again';
};

/** The session that shows the install's output. */
const installSession = (now: Pick<Now, 'parts' | 'view'>): string | undefined =>
	computerOf(now)?.provisioningSteps?.findLast(step => step.installSessionId)?.installSessionId;

const hasInstallOutput = (now: Now): Enabled =>
	installSession(now) !== undefined || 'No output to open: the dependency install has not run';

const hasSessions = ({lists, view}: Now): Enabled =>
	sessionsOn(lists.all.sessions, targets(view).computerId ?? '').sessions > 0 ||
	'No known session on this computer: {new-session} creates one';

const unlessNone = unlessEmpty(({lists, view}) => filterOf(view) === '' && lists.all.computers.length === 0);

/** What Escape leads to from a computer: the table, the lists, or the view where it was opened. */
const behind = (now: Now): string | undefined => {
	const {layout, view} = now;
	const isTable = view.page === 'computers';
	const list = isTable ? computersLayout(layout, view.computers.pane).table : layout.sessions;
	return backTo(now, 'lists', list === undefined);
};

/** What a key does for the computer that keys act on; it does nothing without one. */
const onComputer = (run: (parts: AppParts, computerId: string) => void) => (parts: AppParts) => {
	const {computerId} = targets(parts.view.getState());
	if (computerId !== undefined) run(parts, computerId);
};

const openInstallOutput = onComputer((parts, computerId) => {
	const id = installSession({parts, view: parts.view.getState()});
	if (id === undefined) return;
	parts.actions.engine.registry.addSession(id, 'install-step', {computerId});
	openSession(parts, id, 'main');
	setView(parts.view, view => ({...view, cursor: {section: 'sessions', id}}));
});

const isAtSteps = ({contexts}: Now): boolean => contexts.includes('computer');

const newComputer = {
	action: 'new-computer',
	command: 'computers create',
	keys: ['N'],
	title: 'New computer',
	isEnabled: canCreate,
	run: parts => openForm(parts, newComputerForm),
} as const satisfies Partial<BindingOf<string>>;

/** Keys for a computer, in the lists and in the Computers view. */
export const computerBindings = bindingsOf([
	{
		action: 'back',
		keys: ['escape'],
		title: 'Back to the lists, or to the view where it was opened',
		hintNow: now => behind(now) ?? 'lists',
		isFirst: now => behind(now) !== undefined && 'then',
		contexts: ['computer'],
		run(parts) {
			if (parts.view.getState().page === 'computers') leaveComputers(parts.view);
			else setView(parts.view, withLeft);
		},
	},
	...bindingsIn({contexts: ['computers', 'computer']}, [{...newComputer, hint: 'new computer'}]),
	{...newComputer, contexts: ['sessions', 'session-table', 'stream']},
	...bindingsIn({contexts: ['computers', 'computer']}, [
		{
			action: 'retry-install',
			command: 'computers install-deps',
			keys: ['R'],
			title: 'Run the dependency install again',
			hint: 'retry install',
			// Only a failed install can be retried.
			isFirst: now => canRetryInstall(now) === true,
			isEnabled: allOf(hasComputer, hasService, canRetryInstall),
			run: onComputer((parts, id) => void runInstallAgain(parts.actions, id)),
		},
		{
			action: 'connect-computer',
			command: 'computers connect',
			keys: ['c'],
			title: 'Connect again; if ssh asks for something, log in here',
			hintNow: now => (canConnect(now) === true ? connectHint(now) : undefined),
			findBy: 'ssh log in password reconnect',
			isFirst: now => canConnect(now) === true,
			isEnabled: allOf(hasComputer, hasService, canConnect),
			run: onComputer((parts, id) => {
				const {computer} = parts.stores.fleet.getState().computers.get(id) ?? {};
				if (!computer) return;
				if (connectionNeeds(computer) === 'log-in') void logInToMachine(parts.actions, computer);
				else void connectMachine(parts.actions, id);
			}),
		},
		{
			action: 'install-session',
			keys: ['i'],
			title: 'Open the install output',
			hint: 'install output',
			isEnabled: hasInstallOutput,
			run: openInstallOutput,
		},
		{
			action: 'edit-computer',
			command: 'computers update',
			keys: ['e'],
			title: 'Edit the computer: name, host, user',
			isEnabled: allOf(hasComputer, hasService),
			run: onComputer((parts, computerId) => openForm(parts, editComputerForm(computerId))),
		},
		{
			action: 'list-sessions',
			keys: ['l'],
			title: 'Sessions on this computer',
			hint: 'its sessions',
			isEnabled: allOf(hasComputer, hasSessions),
			run: onComputer((parts, id) => {
				const name = computerNames(parts.stores.fleet.getState().computers).get(id);
				const words = formatFilter([{kind: 'computer', value: name ?? shortId(id), isNot: false}]);
				setView(parts.view, view => ({...withFilter(view, words, 'work'), page: 'work', focus: 'lists'}));
			}),
		},
		{
			action: 'copy-computer-id',
			keys: ['y'],
			title: "Copy the computer's id",
			isEnabled: hasComputer,
			run: onComputer((parts, id) => void copyText(parts.actions, id, 'the id')),
		},
	]),
	{
		action: 'read-computer',
		keys: ['enter'],
		title: "View the computer's steps; there, open their output",
		hint: 'steps',
		// The key of the install output is in the footer.
		hintNow: now => (isAtSteps(now) ? '' : undefined),
		isEnabled: now => (isAtSteps(now) ? hasInstallOutput(now) : hasComputer(now)),
		contexts: ['computer-table', 'computer'],
		run(parts, lists) {
			if (isAtSteps(parts.input.now(parts, parts.view.getState(), lists))) openInstallOutput(parts);
			else change(parts.view, () => ({pane: 'detail'}));
		},
	},
	...bindingsIn({contexts: ['computer-table']}, [
		{
			...choosesColumns,
			keys: ['o'],
			...unlessNone,
			run: parts => openColumns(parts, 'computers'),
		},
		{
			action: 'filter',
			keys: ['/'],
			title: 'Filter computers',
			hint: 'filter',
			...unlessNone,
			run: parts => setView(parts.view, withFiltering),
		},
	]),
]);

/** Goes back one step: from the detail to the table, then clears the filter, then returns to Work. */
export function leaveComputers(view: ViewStore): void {
	setView(view, now => {
		if (now.computers.pane === 'detail') return withComputers(now, {pane: 'table'});
		return withoutFilter(now);
	});
}

function change(view: ViewStore, next: (viewState: ComputersViewState) => Partial<ComputersViewState>): void {
	setView(view, now => withComputers(now, next(now.computers)));
}
