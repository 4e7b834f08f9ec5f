import {useEffect} from 'react';
import {popDialog} from '../../state/view/dialogs.ts';
import {setView, type ViewStore} from '../../state/view/view.ts';
import {safe} from '../../text/cells/safe.ts';
import type {KeyLayer} from '../input.ts';
import {bindingsIn} from '../keys/binding.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {type DialogModule, type DialogOf, type DialogProps, keyWait} from './dialog-module.ts';
import {changeDialog, topDialog} from './list-layer.ts';
import {QuestionPane} from './question-pane.tsx';

/** A modal question that must be answered before anything else. */
function ConfirmDialog({dialog, layout}: DialogProps<'confirm'>) {
	const parts = useApp();
	const {keys, actions, view} = parts;
	const {isUnexpected, takesEnter, yes} = dialog;
	const isReady = !isUnexpected || dialog.isReady;
	useEffect(() => {
		const setReady = (now: DialogOf<'confirm'>) => (now.yes === yes ? {...now, isReady: true as const} : now);
		return isReady ? undefined : actions.clock.after(keyWait, () => changeDialog(view, 'confirm', setReady));
	}, [actions, view, yes, isReady]);
	const label = isUnexpected && !takesEnter ? keys.label : keys.labels;
	const answers = [
		{action: 'confirm', keys: label('confirm'), words: safe` yes   `},
		{action: 'refuse', keys: label('refuse'), words: safe` no`},
	] as const;
	return (
		<QuestionPane
			layout={layout}
			context="confirm"
			title={dialog.title}
			text={dialog.text}
			answers={isReady ? answers : []}
		/>
	);
}

export const confirmBindings = bindingsIn(
	{
		contexts: ['confirm'],
		isPaletteHidden: true,
		isEnabled({view}) {
			const {isUnexpected, isReady} = topDialog(view, 'confirm') ?? {};
			return !isUnexpected || isReady || 'The question has just appeared: its keys count in a moment';
		},
	},
	[
		{
			action: 'confirm',
			keys: ['y', 'enter'],
			title: 'Yes',
			hint: 'yes',
			isWayOut: true,
			run: ({view}) => answer(view, ({yes}) => yes()),
		},
		{
			action: 'refuse',
			keys: ['n'],
			title: 'No',
			hint: 'no',
			run: ({view}) => answer(view, ({no}) => no?.()),
		},
	],
);

function answer(view: ViewStore, give: (dialog: DialogOf<'confirm'>) => void): void {
	const dialog = topDialog(view.getState(), 'confirm');
	setView(view, popDialog);
	if (dialog) give(dialog);
}

function confirmLayer(
	parts: AppParts,
	{cancel, isUnexpected, takesEnter, isReady}: DialogOf<'confirm'>,
): KeyLayer {
	return {
		isModal: true,
		handle(press) {
			const {action, keys} = parts.keys.find(['confirm'], press.name) ?? {};
			// Enter may have been typed for what was there before.
			const isClear = press.name === keys?.[0] || action === 'refuse' || (action === 'confirm' && takesEnter);
			const isMeant = action === 'cancel' || (isReady && isClear);
			if (isUnexpected && !isMeant) return isReady ? 'ignored' : 'consumed';
			if (action === 'cancel') cancel?.();
			return parts.input.handleKey(parts, press, ['confirm']);
		},
	};
}

export const confirmDialog: DialogModule<'confirm'> = {Component: ConfirmDialog, layer: confirmLayer};
