// The page of the rules of a game.

import { drawPictures } from "./rule-pictures.js";

drawPictures(document);
