import {useRef} from 'react';
import {isEqual} from '../../domain/objects.ts';

/** A JSON value that stays the same object while it is equal, so that what is drawn from it isn't drawn again. */
export function useSame<Value>(value: Value): Value {
	const last = useRef(value);
	if (!isEqual(last.current, value)) last.current = value;
	return last.current;
}
