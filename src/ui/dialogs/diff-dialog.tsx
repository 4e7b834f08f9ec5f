import {targets} from '../../state/view/targets.ts';
import {startTypeAhead} from '../composer/type-ahead.ts';
import type {Intents} from '../input.ts';
import type {DialogModule} from './dialog-module.ts';
import {strings} from './strings.ts';

let loaded: Awaited<ReturnType<typeof load>> | undefined;

async function load() {
	const [{DiffView}, {diffLayer, openDiff}] = await Promise.all([
		import('./diff/diff-view.tsx'),
		import('./diff/diff-keys.ts'),
	]);
	return {DiffView, diffLayer, openDiff};
}

const intents: Intents = {
	'working-diff'(parts) {
		const {sessionId} = targets(parts.view.getState());
		if (sessionId === undefined) return;
		if (loaded) {
			loaded.openDiff(parts, sessionId);
			return;
		}
		let isWanted = true;
		const opening = load().then(code => {
			if (!isWanted) return {isOpen: false};
			loaded = code;
			code.openDiff(parts, sessionId);
			return {isOpen: true};
		});
		const stop = () => {
			isWanted = false;
		};
		startTypeAhead(parts, opening, {why: strings.openingChanges, stop});
	},
};

/** What changed in a session's folder. Its code is loaded when it first opens. */
export const diffDialog: DialogModule<'diff'> = {
	Component: props => loaded && <loaded.DiffView {...props} />,
	layer: (parts, dialog) =>
		loaded?.diffLayer(parts, dialog) ?? {name: 'diff', isModal: true, handle: () => 'consumed'},
	intents,
};
