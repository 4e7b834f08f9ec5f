import {type Dialog, newSessionDraft, pushDialog} from '../../../state/dialogs.ts';
import {targets} from '../../../state/targets.ts';
import {createEditor} from '../../../text/editor/editor-state.ts';
import {lastFolder, prepareComposer} from '../../open-session.ts';
import {setView} from '../../set-view.ts';
import type {AppParts} from '../../use-app.ts';

export type NewSessionState = Extract<Dialog, {kind: 'new-session'}>;
type Part = NewSessionState['part'];

/** Asks what a new session should do: on this computer, or on the one at the cursor or used last. */
export function openNewSessionDialog(parts: AppParts, computerId = usualComputer(parts)): void {
	if (computerId === undefined) return;
	prepareComposer(parts, newSessionDraft);
	setView(parts.view, view =>
		pushDialog(view, {
			kind: 'new-session',
			computerId,
			agent: '',
			agents: [],
			folder: createEditor(lastFolder(parts, computerId) ?? ''),
			part: 'words',
		}),
	);
	if (hasAgents(parts)) void readAgents(parts);
}

/** Only the embedded service offers a choice of agents. */
export function hasAgents({host}: Pick<AppParts, 'host'>): boolean {
	return host === undefined;
}

/** Changes the dialog if it is still open, on top or below another one. */
export function change(parts: AppParts, next: (state: NewSessionState) => NewSessionState): void {
	setView(parts.view, view => ({
		...view,
		dialogs: view.dialogs.map(dialog => (dialog.kind === 'new-session' ? next(dialog) : dialog)),
	}));
}

/** Moves to another part: the words, then what stands on the line below them. */
export function movePart(parts: AppParts, by: 1 | -1): void {
	const all: readonly Part[] = [
		'words',
		'computer',
		...(hasAgents(parts) ? (['agent'] as const) : []),
		'folder',
	];
	change(parts, ({problem: _, ...state}) => ({
		...state,
		part: all[(all.indexOf(state.part) + by + all.length) % all.length] ?? 'words',
	}));
}

/** Chooses the next or previous computer or agent. A computer brings its last folder along. */
export function choose(parts: AppParts, by: 1 | -1): void {
	const next = (values: readonly string[], now: string) =>
		values[(values.indexOf(now) + by + values.length) % values.length] ?? now;
	change(parts, state => {
		if (state.part === 'agent') return {...state, agent: next(['', ...state.agents], state.agent)};
		if (state.part !== 'computer') return state;
		const computerId = next([...parts.stores.fleet.getState().computers.keys()], state.computerId);
		return {...state, computerId, folder: createEditor(lastFolder(parts, computerId) ?? '')};
	});
}

function usualComputer({view, stores}: AppParts): string | undefined {
	const {computers, sessions} = stores.fleet.getState();
	const {sessionId, computerId} = targets(view.getState());
	const ofSession = sessions.get(sessionId ?? '')?.computerId;
	const newest = [...sessions.values()]
		.filter(known => computers.has(known.computerId ?? ''))
		.reduce<{computerId?: string; addedAt: number} | undefined>(
			(last, known) => (last && last.addedAt >= known.addedAt ? last : known),
			undefined,
		);
	const wanted = [computerId, ofSession, newest?.computerId].find(id => computers.has(id ?? ''));
	return wanted ?? computers.keys().next().value;
}

/** Reads which agents there are. A service that doesn't say offers the configured one alone. */
async function readAgents(parts: AppParts): Promise<void> {
	try {
		const agents = await parts.actions.service.agentRequests.agents();
		change(parts, state => ({...state, agents: agents.filter(agent => agent !== parts.agent)}));
	} catch {
		return;
	}
}
