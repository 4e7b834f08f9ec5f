import type {ActionName} from '../keys/binding.ts';
import type {KeyContext} from '../keys/key-contexts.ts';
import type {Rect} from '../layout.ts';
import {useApp} from '../use-app.ts';
import {pressAction} from './press-key.ts';
import {useRowsZone} from './use-rows-zone.ts';
import {zoneOrder} from './zones.ts';

/** A list that the keys of lists move, and an action chooses from. */
export type ChoiceZone = {
	readonly context: KeyContext;
	readonly rect: Rect;
	/** Rows above the first list row, including the border. */
	readonly above: number;
	readonly top: number;
	readonly shown: number;
	readonly index: number;
	/** The action of a double press. */
	readonly choose: ActionName;
	/** One press chooses. */
	readonly isMenu: boolean;
};

/** Makes the pointer act like the keys in such a list: a press moves the cursor, a second one chooses. */
export function useChoiceZone({context, index, choose, isMenu, ...list}: ChoiceZone): void {
	const parts = useApp();
	const move = (by: number) => {
		for (let step = 0; step < Math.abs(by); step++)
			pressAction(parts, context, by > 0 ? 'list-down' : 'list-up');
	};
	useRowsZone({
		...list,
		order: zoneOrder.dialog,
		pick(at, isDouble) {
			if (at === undefined) return;
			move(at - index);
			if (isDouble || isMenu) pressAction(parts, context, choose);
		},
		wheel: rows => move(Math.sign(rows)),
	});
}
