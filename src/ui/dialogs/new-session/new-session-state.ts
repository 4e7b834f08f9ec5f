import {readAgents} from '../../../actions/agent-requests.ts';
import {isEqual} from '../../../domain/objects.ts';
import {awaitsComputer} from '../../../state/connection.ts';
import {computerName} from '../../../state/sessions/session-items.ts';
import {type Dialog, type DraftPlace, newSessionDraft, pushDialog} from '../../../state/view/dialogs.ts';
import {targets} from '../../../state/view/targets.ts';
import {setView, type View, type ViewStore} from '../../../state/view/view.ts';
import {editorText} from '../../../text/editor/editor.ts';
import {createEditor} from '../../../text/editor/editor-state.ts';
import {closeCompletion} from '../../composer/completions.ts';
import {composerAt, draftOf, isEmptyDraft} from '../../composer/composers.ts';
import {lastAgent, latestComputers, prepareComposer, usualChoices} from '../../open-session.ts';
import type {AppParts, OpenProfile, Parts} from '../../use-app.ts';
import {nextOf, type Step} from '../form/form-state.ts';
import {isLeaving} from '../form/open-form.ts';

export type NewSessionState = Extract<Dialog, {kind: 'new-session'}>;
type Part = NewSessionState['part'];

/**
 * Asks what a new session should do: on this computer; or where its draft was to run, if there is one; or on the
 * computer at the cursor or used last.
 */
export function openNewSessionDialog(parts: AppParts, computerId?: string): void {
	if (isLeaving(parts)) return;
	prepareComposer(parts, newSessionDraft);
	const left = computerId === undefined ? leftPlace(parts) : undefined;
	const {folder, ...place} = left ?? usualPlace(parts, computerId ?? usualComputer(parts));
	const isTyped = left && folder !== usualPlace(parts, left.computerId).folder;
	setView(parts.view, view =>
		withPlace(
			pushDialog(view, {
				kind: 'new-session',
				opening: Symbol(),
				...place,
				folder: createEditor(folder),
				part: 'words',
				isFolderEdited: isTyped,
			}),
		),
	);
	if (hasAgents(parts.profile)) void readAgents(parts.actions);
}

function usualPlace(parts: AppParts, computerId: string | undefined): DraftPlace {
	if (computerId === undefined) return {agent: '', folder: ''};
	const {cwd = '', agent = ''} = usualChoices(parts, computerId);
	return {computerId, agent, folder: cwd};
}

/** Where the draft was to run, if there is one: its words must not run elsewhere unseen. */
function leftPlace({composers, stores, view}: AppParts): DraftPlace | undefined {
	const composer = composerAt(composers, newSessionDraft);
	const {draftPlace: place} = view.getState();
	if (!composer || isEmptyDraft(draftOf(composer)) || !place?.computerId) return undefined;
	return stores.fleet.getState().computers.has(place.computerId) ? place : undefined;
}

function placeOf({computerId, agent, folder, settings}: NewSessionState): DraftPlace {
	return {computerId, agent, folder: editorText(folder), settings};
}

/** Records where the words of the open dialog are to run. */
function withPlace(view: View): View {
	const dialog = view.dialogs.findLast(one => one.kind === 'new-session');
	if (!dialog) return view;
	const draftPlace = placeOf(dialog);
	return isEqual(draftPlace, view.draftPlace) ? view : {...view, draftPlace};
}

/** Only the embedded service offers a choice of agents. */
export function hasAgents({host}: OpenProfile): boolean {
	return host === undefined;
}

export function configuredAgent({agent}: OpenProfile): string {
	return agent ?? 'as configured';
}

/**
 * The agent of a new session for which none is chosen: as configured, or as a hosted service announces it with the
 * computer. If it doesn't, the last session's is a guess. Undefined if nothing is known.
 */
export function usualAgent(
	{stores, profile}: Parts<'stores' | 'profile'>,
	computerId: string | undefined,
): {readonly name: string; readonly isGuess?: true} | undefined {
	if (hasAgents(profile)) return {name: configuredAgent(profile)};
	if (computerId === undefined) return undefined;
	const announced = stores.fleet.getState().computers.get(computerId)?.computer?.agent;
	if (announced) return {name: announced};
	const last = lastAgent(stores, computerId);
	return last === undefined ? undefined : {name: last, isGuess: true};
}

/** Resolves to the dialog's computer, once it is listed; to nothing if there is none. */
export async function computerOf(
	parts: AppParts,
	{computerId}: NewSessionState,
): Promise<string | undefined> {
	if (awaitsComputer(parts)) {
		const {promise, resolve} = Promise.withResolvers<void>();
		const check = () => !awaitsComputer(parts) && resolve();
		const stops = [parts.stores.fleet.subscribe(check), parts.stores.connection.subscribe(check)];
		await promise;
		for (const stop of stops) stop();
	}
	return computerId ?? usualComputer(parts);
}

/** Changes the dialog if it is still open, on top or below another one. */
export function change(view: ViewStore, next: (state: NewSessionState) => NewSessionState): void {
	setView(view, now =>
		withPlace({
			...now,
			dialogs: now.dialogs.map(dialog => (dialog.kind === 'new-session' ? next(dialog) : dialog)),
		}),
	);
}

const allParts: readonly Part[] = ['words', 'computer', 'agent', 'folder', 'settings'];

/** Moves to another part: the text, then each choice on the line below it. */
export function movePart({profile, stores, view}: Parts<'profile' | 'stores' | 'view'>, by: 1 | -1): void {
	const isOpen = (part: Part) => {
		if (part === 'computer') return stores.fleet.getState().computers.size > 1;
		return part !== 'agent' || (hasAgents(profile) && canChooseAgent({profile, stores}));
	};
	closeCompletion(view);
	change(view, ({problem: _, ...state}) => {
		const at = allParts.indexOf(state.part);
		const others = [...allParts.slice(at + 1), ...allParts.slice(0, at)];
		return {...state, part: (by > 0 ? others.find(isOpen) : others.findLast(isOpen)) ?? 'words'};
	});
}

/** Chooses another computer or agent. */
export function choose(parts: AppParts, step: Step): void {
	change(parts.view, state => {
		if (state.part === 'agent') {
			const {agent: usual = ''} = parts.profile;
			const agents = ['', ...otherAgents(parts)];
			const current = agentOf(parts, state);
			const agent = nextOf(agents, agents.indexOf(current), step, name => name || usual) ?? current;
			return agent === current ? state : {...state, agent};
		}
		if (state.part !== 'computer') return state;
		const {computers} = parts.stores.fleet.getState();
		const current = state.computerId ?? usualComputer(parts);
		if (current === undefined) return state;
		const ids = [...computers.keys()];
		const computerId = nextOf(ids, ids.indexOf(current), step, id => computerName(computers, id));
		if (computerId === undefined || computerId === current) return state;
		const {isFolderEdited: _, ...others} = state;
		return {...others, computerId, folder: createEditor(usualChoices(parts, computerId).cwd ?? '')};
	});
}

/** The agents that the service has besides the configured one. */
export function otherAgents({profile, stores}: Parts<'profile' | 'stores'>): readonly string[] {
	const {agents = []} = stores.connection.getState();
	return agents.filter(name => name !== profile.agent);
}

/** Whether there is a choice, or may be, since the agents aren't read yet. */
export function canChooseAgent(parts: Parts<'profile' | 'stores'>): boolean {
	return otherAgents(parts).length > 0 || !parts.stores.connection.getState().agents;
}

/** The agent that was chosen, unless it was uninstalled since; empty for the usual one. */
export function agentOf({stores}: Parts<'stores'>, {agent}: NewSessionState): string {
	const {agents} = stores.connection.getState();
	return agents?.includes(agent) === false ? '' : agent;
}

/** Whether the shell runs the words as commands: it has no mode. */
export function isShell({agent: configured}: OpenProfile, agent: string): boolean {
	return (agent || configured) === 'shell';
}

export function usualComputer({view, stores}: Parts<'view' | 'stores'>): string | undefined {
	const {computers, sessions} = stores.fleet.getState();
	const {sessionId, computerId} = targets(view.getState());
	const ofSession = sessions.get(sessionId ?? '')?.computerId;
	const wanted = [computerId, ofSession, ...latestComputers(stores)].find(id => computers.has(id ?? ''));
	return wanted ?? computers.keys().next().value;
}
