import {Box} from 'ink';
import TextInput from 'ink-text-input';
import {cleanLine} from '../../text/clean.ts';
import {textWidth} from '../../text/width.ts';
import type {Rect} from '../layout.ts';

type Props = {
	readonly rect: Rect;
	readonly value: string;
	/** Shown in the place of each character. */
	readonly mask?: string;
	readonly onChange: (value: string) => void;
	/** False while the key that is being handled is no text for this field. */
	readonly takesTyping: () => boolean;
};

/**
 * The one-line field that has the focus. It listens to keys by itself, so it is mounted for that field alone. A value
 * longer than the field is shown by its end. What is typed is cleaned before it is drawn: it may have been pasted.
 */
export function TextField({rect, value, mask, onChange, takesTyping}: Props) {
	const columns = textWidth(value) + 1;
	return (
		<Box
			position="absolute"
			left={rect.x}
			top={rect.y}
			width={rect.width}
			height={1}
			overflow="hidden"
			contentOffsetX={Math.max(0, columns - rect.width)}
		>
			<Box width={Math.max(columns, rect.width)} flexShrink={0}>
				<TextInput
					value={value}
					{...(mask !== undefined && {mask})}
					onChange={next => {
						if (takesTyping()) onChange(fieldText(next));
					}}
				/>
			</Box>
		</Box>
	);
}

/** Text as a one-line field takes it: no line ends, no control characters, nothing invisible. */
export function fieldText(raw: string): string {
	return cleanLine(raw.replace(/[\r\n\t]+/g, ' ').replace(/[\0-\x1f\x7f]/g, ''), 64 * 1024);
}
