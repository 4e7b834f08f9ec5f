import {findBinding} from '../../keys/bindings.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {type GoTarget, goTargets} from '../../state/go-targets.ts';
import type {Lists} from '../../state/lists.ts';
import {type Dialog, popDialog, withCursor} from '../../state/view.ts';
import {fieldText} from '../kit/text-field.tsx';
import {setView} from '../set-view.ts';
import {openSession} from '../show.ts';
import type {AppParts} from '../use-app.ts';
import {showView} from '../view-intents.ts';

const steps: Readonly<Record<string, number>> = {
	up: -1,
	down: 1,
	'ctrl+p': -1,
	'ctrl+n': 1,
	pageup: -10,
	pagedown: 10,
};

/** Keys of the list of places: typing narrows it, Enter goes. */
export function goLayer(parts: AppParts, dialog: Dialog & {kind: 'go'}, lists: () => Lists): KeyLayer {
	const replace = (change: Partial<typeof dialog>) =>
		setView(parts.view, view => ({...view, dialogs: [...view.dialogs.slice(0, -1), {...dialog, ...change}]}));
	const type = (text: string) => replace({query: dialog.query + fieldText(text), index: 0});
	return {
		name: 'go',
		isModal: true,
		handle(press) {
			const targets = goTargets(dialog.query, lists());
			const action = findBinding(['go'], press.name)?.action;
			const step = steps[press.name];
			if (action === 'cancel') setView(parts.view, popDialog);
			else if (action === 'go-there') goThere(parts, targets[dialog.index]);
			else if (step !== undefined)
				replace({index: Math.max(0, Math.min(targets.length - 1, dialog.index + step))});
			else if (press.name === 'backspace')
				replace({query: Array.from(dialog.query).slice(0, -1).join(''), index: 0});
			else if (press.name === 'ctrl+u') replace({query: '', index: 0});
			else if (press.text !== '') type(press.text);
			return 'consumed';
		},
		paste(text) {
			type(text);
			return 'consumed';
		},
	};
}

function goThere(parts: AppParts, target: GoTarget | undefined): void {
	if (!target) return;
	setView(parts.view, popDialog);
	if (target.kind === 'view') {
		showView(parts, target.view);
		return;
	}
	const {kind, id} = target;
	if (kind === 'session') {
		openSession(parts, id, 'main');
		setView(parts.view, view => ({...view, cursor: {section: 'sessions', id}}));
		return;
	}
	showView(parts, 'work');
	setView(parts.view, view => ({...withCursor(view, {section: 'computers', id}), focus: 'main'}));
}
